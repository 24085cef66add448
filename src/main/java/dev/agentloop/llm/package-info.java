/**
 * The port to language models: request, response, typed failures, retries; and what adapters need
 * to build a reply.
 */
@NullMarked
package dev.agentloop.llm;

import org.jspecify.annotations.NullMarked;
