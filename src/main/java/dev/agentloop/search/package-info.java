/**
 * Finding files and text in a tree: globs, ignore rules, a walker that follows no links, and a
 * deadline that even a runaway regular expression cannot outlive.
 *
 * <p>May import: control, json. May not import: cli, wiring, config, output.
 */
@NullMarked
package dev.agentloop.search;

import org.jspecify.annotations.NullMarked;
