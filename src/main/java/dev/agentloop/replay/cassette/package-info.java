/** Recorded runs: files of requests and replies. */
@NullMarked
package dev.agentloop.replay.cassette;

import org.jspecify.annotations.NullMarked;
