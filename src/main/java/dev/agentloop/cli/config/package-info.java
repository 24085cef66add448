/** Commands about the configuration: agents, models, skills, memory, and a check of all of it. */
@NullMarked
package dev.agentloop.cli.config;

import org.jspecify.annotations.NullMarked;
