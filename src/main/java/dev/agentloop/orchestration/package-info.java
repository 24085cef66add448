/**
 * Several runs for one purpose: side by side, one after another until checks pass, in a chain, or
 * over and over to be counted. Each run is a process of this program, with its own policy, sandbox
 * and journal.
 */
@NullMarked
package dev.agentloop.orchestration;

import org.jspecify.annotations.NullMarked;
