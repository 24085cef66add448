/**
 * Models behind Google's generateContent protocol, Gemini's own.
 *
 * <p>May import: llm, llm.http, message, control, json, tool (ToolSpec). May not import: cli,
 * wiring, config, output, another adapter.
 */
@NullMarked
package dev.agentloop.llm.gemini;

import org.jspecify.annotations.NullMarked;
