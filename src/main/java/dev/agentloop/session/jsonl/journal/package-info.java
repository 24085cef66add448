/** Lines of a journal: written, read, and folded to what a session is now. */
@NullMarked
package dev.agentloop.session.jsonl.journal;

import org.jspecify.annotations.NullMarked;
