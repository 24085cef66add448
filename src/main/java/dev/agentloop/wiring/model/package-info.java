/** The model of a run: providers, their keys, what they offer now, and whether they answer. */
@NullMarked
package dev.agentloop.wiring.model;

import org.jspecify.annotations.NullMarked;
