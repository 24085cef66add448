/**
 * Tokens into money, exactly, and never by guessing a price.
 *
 * <p>May import: message. May not import: cli, wiring, config, output.
 */
@NullMarked
package dev.agentloop.cost;

import org.jspecify.annotations.NullMarked;
