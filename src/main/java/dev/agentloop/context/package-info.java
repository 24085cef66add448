/** What of the history is sent: truncation, compaction, token estimate. */
@NullMarked
package dev.agentloop.context;

import org.jspecify.annotations.NullMarked;
