/**
 * The server of the Model Context Protocol: offers tools to a client over standard streams. A
 * client is a stranger: what it sends is bounded and checked here; what its calls may do the policy
 * behind the tools decides. Nothing of this package is loaded but for {@code agent mcp serve}.
 */
@NullMarked
package dev.agentloop.mcp.serve;

import org.jspecify.annotations.NullMarked;
