/**
 * The audit log: every decision of the policy as a line that seals the one before. May import
 * event, json, message and storage; may not import the policy or the loop.
 */
@NullMarked
package dev.agentloop.audit;

import org.jspecify.annotations.NullMarked;
