/** Files of configuration as they were found: YAML, who wrote it, and what is wrong with it. */
@NullMarked
package dev.agentloop.config.source;

import org.jspecify.annotations.NullMarked;
