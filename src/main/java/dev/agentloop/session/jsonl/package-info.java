/**
 * Sessions on disk: one folder each, with an append-only journal of JSON lines. Format and promises
 * are in {@code docs/sessions.md}.
 */
@NullMarked
package dev.agentloop.session.jsonl;

import org.jspecify.annotations.NullMarked;
