/**
 * Builds everything, decides nothing: the only place where adapters are made.
 *
 * <p>May import: everything but cli.
 */
@NullMarked
package dev.agentloop.wiring;

import org.jspecify.annotations.NullMarked;
