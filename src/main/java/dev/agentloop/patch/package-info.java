/**
 * Patches: what models and diff programs write, and where in a file it belongs.
 *
 * <p>May import: edit. May not import: cli, wiring, config, output.
 */
@NullMarked
package dev.agentloop.patch;

import org.jspecify.annotations.NullMarked;
