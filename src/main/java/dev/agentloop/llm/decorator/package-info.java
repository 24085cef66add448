/** Adapters around adapters: retries, failover, time, calls in the text. */
@NullMarked
package dev.agentloop.llm.decorator;

import org.jspecify.annotations.NullMarked;
