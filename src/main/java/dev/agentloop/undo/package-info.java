/**
 * What calls do to files, so that it can be put back: states before and after, undo, and settling
 * what was cut off.
 */
@NullMarked
package dev.agentloop.undo;

import org.jspecify.annotations.NullMarked;
