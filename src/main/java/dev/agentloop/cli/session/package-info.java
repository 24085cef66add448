/** Commands about sessions: list, show, copy, delete, undo, replay. */
@NullMarked
package dev.agentloop.cli.session;

import org.jspecify.annotations.NullMarked;
