/**
 * Everything that happens in a run, as one sealed hierarchy that renderers read.
 *
 * <p>May import: java.base, message, evaluation. May not import: cli, wiring, config, output.
 */
@NullMarked
package dev.agentloop.event;

import org.jspecify.annotations.NullMarked;
