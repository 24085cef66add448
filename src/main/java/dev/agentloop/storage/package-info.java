/** Files of the user's that nobody else may read. May import nothing of ours. */
@NullMarked
package dev.agentloop.storage;

import org.jspecify.annotations.NullMarked;
