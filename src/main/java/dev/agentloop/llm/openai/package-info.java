/**
 * Models behind OpenAI's two protocols: Chat Completions, which most providers and local servers
 * speak, and Responses.
 */
@NullMarked
package dev.agentloop.llm.openai;

import org.jspecify.annotations.NullMarked;
