/**
 * The agent as a library: {@link dev.agentloop.library.AgentLoop} is the door. It builds the same
 * loop that the command line runs, for programs that bring their own tools.
 */
@NullMarked
package dev.agentloop.library;

import org.jspecify.annotations.NullMarked;
