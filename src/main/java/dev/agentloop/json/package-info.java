/**
 * The only door to Jackson's streaming parser and writer. No databind: it costs 38 ms at each
 * start.
 *
 * <p>May import: jackson-core. May not import: cli, wiring, config, output.
 */
@NullMarked
package dev.agentloop.json;

import org.jspecify.annotations.NullMarked;
