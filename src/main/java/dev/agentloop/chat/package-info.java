/**
 * Lines that a person types at a terminal, by a library that nothing but {@code agent chat} loads.
 *
 * <p>May import: JLine. May not import: any of ours.
 */
@NullMarked
package dev.agentloop.chat;

import org.jspecify.annotations.NullMarked;
