/**
 * HTTP for model adapters: one client for the run, deadlines, bounded event streams, requests as
 * bytes, and the translation of every failure into {@code LlmException}. The only door to OkHttp.
 */
@NullMarked
package dev.agentloop.llm.http;

import org.jspecify.annotations.NullMarked;
