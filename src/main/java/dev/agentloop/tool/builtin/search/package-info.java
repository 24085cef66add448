/** Tools that find files and lines. */
@NullMarked
package dev.agentloop.tool.builtin.search;

import org.jspecify.annotations.NullMarked;
