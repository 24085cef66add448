/** Commands about MCP servers, and this program as one. */
@NullMarked
package dev.agentloop.cli.mcp;

import org.jspecify.annotations.NullMarked;
