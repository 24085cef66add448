/** The workspace of a command: whether it is trusted, its rules and its sandbox. */
@NullMarked
package dev.agentloop.cli.workspace;

import org.jspecify.annotations.NullMarked;
