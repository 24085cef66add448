/** Connections to MCP servers: lines and server-sent events, requests and their answers. */
@NullMarked
package dev.agentloop.mcp.channel;

import org.jspecify.annotations.NullMarked;
