/** Changing text without touching another byte: encodings, where an edit fits, what it replaces. */
@NullMarked
package dev.agentloop.edit;

import org.jspecify.annotations.NullMarked;
