/** Models behind Anthropic's Messages protocol. */
@NullMarked
package dev.agentloop.llm.anthropic;

import org.jspecify.annotations.NullMarked;
