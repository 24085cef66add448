/** Tokens into money, exactly, and never by guessing a price. */
@NullMarked
package dev.agentloop.cost;

import org.jspecify.annotations.NullMarked;
