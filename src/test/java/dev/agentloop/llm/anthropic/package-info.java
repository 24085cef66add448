/** Tests of the package of the same name. */
@NullMarked
package dev.agentloop.llm.anthropic;

import org.jspecify.annotations.NullMarked;
