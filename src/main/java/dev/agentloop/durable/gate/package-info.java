/**
 * A worker's run, seen from inside: it asks its worker before it acts, and may wait there for a
 * time or a signal.
 */
@NullMarked
package dev.agentloop.durable.gate;

import org.jspecify.annotations.NullMarked;
