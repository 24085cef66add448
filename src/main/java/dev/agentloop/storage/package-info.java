/**
 * Files of the user's that nobody else may read, and folders held while they are worked in. May
 * import nothing of ours.
 */
@NullMarked
package dev.agentloop.storage;

import org.jspecify.annotations.NullMarked;
