/** Commands that only read, whatever their options. */
@NullMarked
package dev.agentloop.shell.read;

import org.jspecify.annotations.NullMarked;
