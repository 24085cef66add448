/**
 * The tools that come with the program: reading, finding, changing files, and running commands.
 *
 * <p>May import: tool, tool.file, message, control, process, json, edit, patch, search. May not
 * import: cli, wiring, config, output.
 */
@NullMarked
package dev.agentloop.tool.builtin;

import org.jspecify.annotations.NullMarked;
