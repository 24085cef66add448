/** The commands {@code run} and {@code resume}: what a run shows and how it ends. */
@NullMarked
package dev.agentloop.cli.run;

import org.jspecify.annotations.NullMarked;
