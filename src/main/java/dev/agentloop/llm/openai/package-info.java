/**
 * Models behind OpenAI's Chat Completions protocol, which most providers and local servers speak.
 *
 * <p>May import: llm, llm.http, message, control, json, tool (ToolSpec). May not import: cli,
 * wiring, config, output, another adapter.
 */
@NullMarked
package dev.agentloop.llm.openai;

import org.jspecify.annotations.NullMarked;
