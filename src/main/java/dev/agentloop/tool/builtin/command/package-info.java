/** Tools that run commands, and what is said of how they ended. */
@NullMarked
package dev.agentloop.tool.builtin.command;

import org.jspecify.annotations.NullMarked;
