/**
 * Limits and checks of a whole run that no single decision can hold: what was changed so far, what
 * new lines hold, what must pass in the end.
 */
@NullMarked
package dev.agentloop.guardrail;

import org.jspecify.annotations.NullMarked;
