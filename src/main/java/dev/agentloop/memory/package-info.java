/**
 * What is kept from one run for later ones: notes about the user and about a workspace. They are
 * data for the model and never rules.
 *
 * <p>May import: message, storage, tool. May not import: cli, wiring, config, loop.
 */
@NullMarked
package dev.agentloop.memory;

import org.jspecify.annotations.NullMarked;
