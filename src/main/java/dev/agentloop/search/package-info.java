/**
 * Finding files, text and definitions in a tree: globs, ignore rules as git has them, a walker that
 * follows no links, lines by expression in files of any size, and a deadline that even a runaway
 * regular expression cannot outlive.
 */
@NullMarked
package dev.agentloop.search;

import org.jspecify.annotations.NullMarked;
