/** Agents that hand over to each other while a run goes on. */
@NullMarked
package dev.agentloop.profile;

import org.jspecify.annotations.NullMarked;
