/**
 * The client of the Model Context Protocol: servers that the user configured offer tools, resources
 * and prompts, over standard streams or HTTP. A server is a stranger: what it says is bounded,
 * checked and made harmless here. Nothing of this package is loaded unless a server is configured.
 */
@NullMarked
package dev.agentloop.mcp;

import org.jspecify.annotations.NullMarked;
