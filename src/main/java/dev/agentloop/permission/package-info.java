/**
 * Who may do what: rules, presets and the question put to a person.
 *
 * <p>May import: message, tool. May not import: cli, wiring, config, output.
 */
@NullMarked
package dev.agentloop.permission;

import org.jspecify.annotations.NullMarked;
