/**
 * The user's set-up: one table of keys, layers of files, environment and options, and the typed
 * values that come out of them. A value that exists here is valid; nobody downstream checks again.
 */
@NullMarked
package dev.agentloop.config;

import org.jspecify.annotations.NullMarked;
