/**
 * What the model and the program say to each other. Values only; the whole program may import it.
 *
 * <p>May import: java.base. May not import: cli, wiring, config, output.
 */
@NullMarked
package dev.agentloop.message;

import org.jspecify.annotations.NullMarked;
