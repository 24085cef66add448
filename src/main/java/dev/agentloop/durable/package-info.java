/**
 * Tasks that outlive their workers. What happens in a run is in its journal; an engine keeps the
 * journal of a task, so that any worker can take the task up where another one died. The rules (who
 * may work on a task, what is stored, what a group may spend) are objects of pure logic here; an
 * engine only has to run one operation on one object at a time and to keep the object's state.
 *
 * <p>May import {@code json}, {@code session} and {@code storage}; engines live outside of the jar.
 */
@NullMarked
package dev.agentloop.durable;

import org.jspecify.annotations.NullMarked;
