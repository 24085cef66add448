/** A recorded run step by step, for people and programs. */
@NullMarked
package dev.agentloop.replay.view;

import org.jspecify.annotations.NullMarked;
