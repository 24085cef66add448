/**
 * What is kept from one run for later ones: notes about the user and about a workspace. They are
 * data for the model and never rules.
 */
@NullMarked
package dev.agentloop.memory;

import org.jspecify.annotations.NullMarked;
