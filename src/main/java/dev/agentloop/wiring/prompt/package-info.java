/** What the model is told besides the task, and what it remembers. */
@NullMarked
package dev.agentloop.wiring.prompt;

import org.jspecify.annotations.NullMarked;
