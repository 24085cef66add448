/** How a run looks: lines for people, JSON for programs. Reads events, changes nothing. */
@NullMarked
package dev.agentloop.output;

import org.jspecify.annotations.NullMarked;
