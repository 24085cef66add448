/** What well-known keys, tokens and passwords look like in a text. */
@NullMarked
package dev.agentloop.secret.pattern;

import org.jspecify.annotations.NullMarked;
