/** Logins at MCP servers. */
@NullMarked
package dev.agentloop.mcp.oauth;

import org.jspecify.annotations.NullMarked;
