/**
 * What keeps tasks: objects of pure logic (who may work on a task, what is stored, what a group may
 * spend), and the port to an engine that runs one operation on one object at a time and keeps its
 * state. The local engine is here, others are optional jars.
 */
@NullMarked
package dev.agentloop.durable.engine;

import org.jspecify.annotations.NullMarked;
