/**
 * What the model and the program say to each other. Values only; the whole program may import it.
 */
@NullMarked
package dev.agentloop.message;

import org.jspecify.annotations.NullMarked;
