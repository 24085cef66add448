/** Patches: what models and diff programs write, and where in a file it belongs. */
@NullMarked
package dev.agentloop.patch;

import org.jspecify.annotations.NullMarked;
