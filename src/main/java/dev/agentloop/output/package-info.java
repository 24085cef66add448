/**
 * How a run looks: lines for people, JSON for programs. Reads events, changes nothing.
 *
 * <p>May import: event, message, evaluation, json. May not import: loop, adapters, cli, wiring.
 */
@NullMarked
package dev.agentloop.output;

import org.jspecify.annotations.NullMarked;
