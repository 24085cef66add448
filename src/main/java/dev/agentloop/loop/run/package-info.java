/** One run: its state, its watchdogs and its end. */
@NullMarked
package dev.agentloop.loop.run;

import org.jspecify.annotations.NullMarked;
