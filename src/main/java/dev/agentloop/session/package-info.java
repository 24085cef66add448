/** The journal of a run and what can be read from it: resume, lists, transcripts. */
@NullMarked
package dev.agentloop.session;

import org.jspecify.annotations.NullMarked;
