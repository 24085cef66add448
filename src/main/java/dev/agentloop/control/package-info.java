/**
 * Stopping and time: one cancellation object for a run, its alarms, and the clock that tests own.
 */
@NullMarked
package dev.agentloop.control;

import org.jspecify.annotations.NullMarked;
