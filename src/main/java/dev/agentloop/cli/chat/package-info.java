/** The command {@code chat}: task after task at a terminal. */
@NullMarked
package dev.agentloop.cli.chat;

import org.jspecify.annotations.NullMarked;
