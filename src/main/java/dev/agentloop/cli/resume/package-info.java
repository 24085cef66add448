/** A session that goes on: which one, and what it may do. */
@NullMarked
package dev.agentloop.cli.resume;

import org.jspecify.annotations.NullMarked;
