/** Checks JSON values against a JSON Schema; loaded only by runs that ask for one. */
@NullMarked
package dev.agentloop.json.schema;

import org.jspecify.annotations.NullMarked;
