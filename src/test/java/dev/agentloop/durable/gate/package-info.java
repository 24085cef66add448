/** Tests of what a run of a worker asks before it goes on. */
@NullMarked
package dev.agentloop.durable.gate;

import org.jspecify.annotations.NullMarked;
