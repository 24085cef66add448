/**
 * A call from the model's words to the tool: arguments, their types, and what is wrong with them.
 */
@NullMarked
package dev.agentloop.tool.call;

import org.jspecify.annotations.NullMarked;
