/**
 * Which model answers: the providers and models we know, and the choice among them.
 *
 * <p>May import: config, json, llm (values). May not import: cli, wiring, loop, output.
 */
@NullMarked
package dev.agentloop.config.catalog;

import org.jspecify.annotations.NullMarked;
