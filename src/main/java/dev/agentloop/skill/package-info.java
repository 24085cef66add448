/**
 * Instructions that are read when they are wanted: skills, for the model, and commands, for people
 * who write the same task often.
 *
 * <p>May import: config (for headers), message, prompt (for reading through no link), tool. May not
 * import: cli, wiring, loop, adapters.
 */
@NullMarked
package dev.agentloop.skill;

import org.jspecify.annotations.NullMarked;
