/**
 * The agent loop: ports and values only, no vendor, no terminal, no file format.
 *
 * <p>May import: message, event, llm, tool, permission, session, cost, context, hook, control,
 * evaluation. May not import: cli, wiring, config, output.
 */
@NullMarked
package dev.agentloop.loop;

import org.jspecify.annotations.NullMarked;
