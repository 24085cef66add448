/**
 * Commands of the user that run at named moments of a run.
 *
 * <p>May import: message, process, control, search. May not import: cli, wiring, config, output.
 */
@NullMarked
package dev.agentloop.hook;

import org.jspecify.annotations.NullMarked;
