/**
 * Agents that work on a part of the task for another one: with a context of their own, within what
 * that one may do, and with a report as the only thing that comes back.
 */
@NullMarked
package dev.agentloop.subagent;

import org.jspecify.annotations.NullMarked;
