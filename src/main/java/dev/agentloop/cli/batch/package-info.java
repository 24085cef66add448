/** Commands that start several runs. */
@NullMarked
package dev.agentloop.cli.batch;

import org.jspecify.annotations.NullMarked;
