/**
 * The journal of a run and what can be read from it: resume, lists, transcripts.
 *
 * <p>May import: message, json, control. May not import: cli, wiring, config, output.
 */
@NullMarked
package dev.agentloop.session;

import org.jspecify.annotations.NullMarked;
