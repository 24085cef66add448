/**
 * The command line: options in, streams and exit codes out. The only place that touches standard
 * streams, signals and picocli.
 */
@NullMarked
package dev.agentloop.cli;

import org.jspecify.annotations.NullMarked;
