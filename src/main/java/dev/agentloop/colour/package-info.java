/** Colours of the terminal: what is coloured, how in each theme, and what a terminal can show. */
@NullMarked
package dev.agentloop.colour;

import org.jspecify.annotations.NullMarked;
