/**
 * What is known of programs by their names and words alone: which of them destroy or publish
 * something, which start other programs, and through which options. Most of it is data, in the
 * resources {@code commands/*.txt}.
 */
@NullMarked
package dev.agentloop.shell.program;

import org.jspecify.annotations.NullMarked;
