/**
 * Tasks that outlive their workers. What happens in a run is in its journal; an engine keeps the
 * journal of a task, so that any worker can take the task up where another one died.
 */
@NullMarked
package dev.agentloop.durable;

import org.jspecify.annotations.NullMarked;
