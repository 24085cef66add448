/**
 * Cassettes: what the ports of a run answered, kept as JSON lines, and the run answered from them
 * again. Knows the ports and values only; neither the command line nor the wiring.
 */
@NullMarked
package dev.agentloop.replay;

import org.jspecify.annotations.NullMarked;
