/** Builds everything, decides nothing: the only place where adapters are made. */
@NullMarked
package dev.agentloop.wiring;

import org.jspecify.annotations.NullMarked;
