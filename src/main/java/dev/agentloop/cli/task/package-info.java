/** Commands for tasks that a worker does elsewhere. */
@NullMarked
package dev.agentloop.cli.task;

import org.jspecify.annotations.NullMarked;
