/**
 * The port to language models: request, response, typed failures, retries; and what adapters need
 * to build a reply.
 *
 * <p>May import: message, event, control, json, tool (ToolSpec). May not import: cli, wiring,
 * config, output.
 */
@NullMarked
package dev.agentloop.llm;

import org.jspecify.annotations.NullMarked;
