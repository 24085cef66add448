/** The port to tools: specification, arguments, registry, workspace. */
@NullMarked
package dev.agentloop.tool;

import org.jspecify.annotations.NullMarked;
