/**
 * What the model is told before its task: instructions, guidance of the user and the project, the
 * place it works in.
 */
@NullMarked
package dev.agentloop.prompt;

import org.jspecify.annotations.NullMarked;
