/**
 * Pages of one file: their frame, and recorded text, answers and diffs as HTML in which nothing
 * acts.
 */
@NullMarked
package dev.agentloop.html;

import org.jspecify.annotations.NullMarked;
