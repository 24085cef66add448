/** Who may do what: rules, presets and the question put to a person. */
@NullMarked
package dev.agentloop.permission;

import org.jspecify.annotations.NullMarked;
