/** Tests of tasks that outlive their workers. */
@NullMarked
package dev.agentloop.durable;

import org.jspecify.annotations.NullMarked;
