/** The task as it was typed, piped or named as a file. */
@NullMarked
package dev.agentloop.cli.input;

import org.jspecify.annotations.NullMarked;
