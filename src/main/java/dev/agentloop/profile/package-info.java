/**
 * Agents that hand over to each other while a run goes on.
 *
 * <p>May import: message, tool. May not import: cli, wiring, config, loop.
 */
@NullMarked
package dev.agentloop.profile;

import org.jspecify.annotations.NullMarked;
