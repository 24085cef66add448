/**
 * Lines that a person types at a terminal, by a library that nothing but {@code agent chat} loads.
 */
@NullMarked
package dev.agentloop.chat;

import org.jspecify.annotations.NullMarked;
