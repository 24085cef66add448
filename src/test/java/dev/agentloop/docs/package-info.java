/** Checks that the documentation says what the program does. */
@NullMarked
package dev.agentloop.docs;

import org.jspecify.annotations.NullMarked;
