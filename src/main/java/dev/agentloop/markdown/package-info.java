/** Markdown as a model writes it, made readable on a terminal. */
@NullMarked
package dev.agentloop.markdown;

import org.jspecify.annotations.NullMarked;
