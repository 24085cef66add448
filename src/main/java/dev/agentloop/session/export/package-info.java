/** Saved sessions as documents for people and programs. */
@NullMarked
package dev.agentloop.session.export;

import org.jspecify.annotations.NullMarked;
