/** Which model answers: the providers and models we know, and the choice among them. */
@NullMarked
package dev.agentloop.config.catalog;

import org.jspecify.annotations.NullMarked;
