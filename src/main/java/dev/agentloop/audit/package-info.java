/** The audit log: every decision of the policy as a line that seals the one before. */
@NullMarked
package dev.agentloop.audit;

import org.jspecify.annotations.NullMarked;
