/** Changes of files that are made wholly or not at all. */
@NullMarked
package dev.agentloop.tool.file;

import org.jspecify.annotations.NullMarked;
