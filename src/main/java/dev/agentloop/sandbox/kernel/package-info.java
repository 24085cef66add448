/**
 * System calls by their numbers: how to make them, which ones a sandboxed process may make, and who
 * makes some of them for it. Knows nothing of workspaces and tiers.
 */
@NullMarked
package dev.agentloop.sandbox.kernel;

import org.jspecify.annotations.NullMarked;
