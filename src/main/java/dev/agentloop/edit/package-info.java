/**
 * Changing text without touching another byte: encodings, where an edit fits, what it replaces.
 *
 * <p>May import: json. May not import: cli, wiring, config, output.
 */
@NullMarked
package dev.agentloop.edit;

import org.jspecify.annotations.NullMarked;
