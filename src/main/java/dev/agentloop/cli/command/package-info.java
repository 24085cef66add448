/** What every command is: words in, exit code out. */
@NullMarked
package dev.agentloop.cli.command;

import org.jspecify.annotations.NullMarked;
