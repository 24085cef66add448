/** A run before it begins: model, limits, servers, tapes. */
@NullMarked
package dev.agentloop.cli.setup;

import org.jspecify.annotations.NullMarked;
