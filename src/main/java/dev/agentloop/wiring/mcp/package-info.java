/** MCP servers of the configuration: who may start them, with which login. */
@NullMarked
package dev.agentloop.wiring.mcp;

import org.jspecify.annotations.NullMarked;
