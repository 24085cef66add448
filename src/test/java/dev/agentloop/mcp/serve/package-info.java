/** Tests of the server of the protocol. */
@org.jspecify.annotations.NullMarked
package dev.agentloop.mcp.serve;
