/**
 * Stopping and time: one cancellation object for a run, its alarms, and the clock that tests own.
 *
 * <p>May import: java.base. May not import: cli, wiring, config, output.
 */
@NullMarked
package dev.agentloop.control;

import org.jspecify.annotations.NullMarked;
