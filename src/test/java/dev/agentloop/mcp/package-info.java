/** Tests of the MCP client: against a real child process with faults, and against HTTP servers. */
@org.jspecify.annotations.NullMarked
package dev.agentloop.mcp;
