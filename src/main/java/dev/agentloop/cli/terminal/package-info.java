/** The terminal: what a person sees, is asked and answers. */
@NullMarked
package dev.agentloop.cli.terminal;

import org.jspecify.annotations.NullMarked;
