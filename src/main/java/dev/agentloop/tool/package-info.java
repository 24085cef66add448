/**
 * The port to tools: specification, arguments, registry, workspace.
 *
 * <p>May import: message, control, json. May not import: cli, wiring, config, output.
 */
@NullMarked
package dev.agentloop.tool;

import org.jspecify.annotations.NullMarked;
