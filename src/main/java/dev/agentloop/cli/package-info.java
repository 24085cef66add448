/**
 * The command line: options in, streams and exit codes out. The only place that touches standard
 * streams, signals and picocli.
 *
 * <p>May import: everything but adapters, which it gets from wiring.
 */
@NullMarked
package dev.agentloop.cli;

import org.jspecify.annotations.NullMarked;
