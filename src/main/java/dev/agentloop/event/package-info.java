/** Everything that happens in a run, as one sealed hierarchy that renderers read. */
@NullMarked
package dev.agentloop.event;

import org.jspecify.annotations.NullMarked;
