/**
 * Sessions on disk: one folder each, with an append-only journal of JSON lines. Format and promises
 * are in {@code docs/sessions.md}.
 *
 * <p>May import: session, message, json, control. May not import: cli, wiring, config, output.
 */
@NullMarked
package dev.agentloop.session.jsonl;

import org.jspecify.annotations.NullMarked;
