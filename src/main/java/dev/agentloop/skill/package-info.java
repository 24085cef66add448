/**
 * Instructions that are read when they are wanted: skills, for the model, and commands, for people
 * who write the same task often.
 */
@NullMarked
package dev.agentloop.skill;

import org.jspecify.annotations.NullMarked;
