/**
 * What calls do to files, so that it can be put back: states before and after, undo, and settling
 * what was cut off.
 *
 * <p>May import: edit, message, session, tool, tool.file. May not import: cli, wiring, config,
 * output.
 */
@NullMarked
package dev.agentloop.undo;

import org.jspecify.annotations.NullMarked;
