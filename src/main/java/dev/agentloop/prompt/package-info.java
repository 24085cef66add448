/**
 * What the model is told before its task: instructions, guidance of the user and the project, the
 * place it works in. May import storage and git, to read files; may not import cli, wiring, the
 * loop, the configuration or output.
 */
@NullMarked
package dev.agentloop.prompt;

import org.jspecify.annotations.NullMarked;
