/**
 * Changes of files that are made wholly or not at all.
 *
 * <p>May import: tool. May not import: cli, wiring, config, output.
 */
@NullMarked
package dev.agentloop.tool.file;

import org.jspecify.annotations.NullMarked;
