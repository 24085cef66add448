/** The tools that come with the program: reading, finding, changing files, and running commands. */
@NullMarked
package dev.agentloop.tool.builtin;

import org.jspecify.annotations.NullMarked;
