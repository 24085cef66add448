/**
 * Models behind OpenAI's two protocols: Chat Completions, which most providers and local servers
 * speak, and Responses.
 *
 * <p>May import: llm, llm.http, message, control, json, tool (ToolSpec). May not import: cli,
 * wiring, config, output, another adapter.
 */
@NullMarked
package dev.agentloop.llm.openai;

import org.jspecify.annotations.NullMarked;
