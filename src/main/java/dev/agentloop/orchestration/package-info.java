/**
 * Several runs for one purpose: side by side, one after another until checks pass, in a chain, or
 * over and over to be counted. Each run is a process of this program, with its own policy, sandbox
 * and journal.
 *
 * <p>May import: control, git, json, process, storage. May not import: cli, wiring, config, loop.
 */
@NullMarked
package dev.agentloop.orchestration;

import org.jspecify.annotations.NullMarked;
