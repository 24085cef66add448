/**
 * Checks JSON values against a JSON Schema; loaded only by runs that ask for one.
 *
 * <p>May import: json. May not import: anything else of ours.
 */
@NullMarked
package dev.agentloop.json.schema;

import org.jspecify.annotations.NullMarked;
