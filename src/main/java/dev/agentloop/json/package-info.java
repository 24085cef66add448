/**
 * The only door to Jackson's streaming parser and writer. No databind: it costs 38 ms at each
 * start.
 */
@NullMarked
package dev.agentloop.json;

import org.jspecify.annotations.NullMarked;
