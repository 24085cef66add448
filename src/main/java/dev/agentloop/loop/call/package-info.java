/** The calls of one reply: checked, approved, run side by side, answered. */
@NullMarked
package dev.agentloop.loop.call;

import org.jspecify.annotations.NullMarked;
