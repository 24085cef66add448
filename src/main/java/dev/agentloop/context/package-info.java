/**
 * What of the history is sent: truncation, compaction, token estimate.
 *
 * <p>May import: json, message, tool. May not import: cli, wiring, config, output.
 */
@NullMarked
package dev.agentloop.context;

import org.jspecify.annotations.NullMarked;
