/**
 * The user's set-up: one table of keys, layers of files, environment and options, and the typed
 * values that come out of them. A value that exists here is valid; nobody downstream checks again.
 *
 * <p>May import: json, llm (values), SnakeYAML (in {@code YamlReader} only). May not import: cli,
 * wiring, loop, output.
 */
@NullMarked
package dev.agentloop.config;

import org.jspecify.annotations.NullMarked;
