/** Tools that read and change files. */
@NullMarked
package dev.agentloop.tool.builtin.file;

import org.jspecify.annotations.NullMarked;
