/**
 * The table of keys: what each accepts, how its text becomes a value, what it means. Nothing here
 * knows layers, files or records.
 */
@NullMarked
package dev.agentloop.config.key;

import org.jspecify.annotations.NullMarked;
