/**
 * Models behind Anthropic's Messages protocol.
 *
 * <p>May import: llm, llm.http, message, control, json, tool (ToolSpec). May not import: cli,
 * wiring, config, output, another adapter.
 */
@NullMarked
package dev.agentloop.llm.anthropic;

import org.jspecify.annotations.NullMarked;
