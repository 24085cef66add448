/** Tests of the package of the same name. */
@NullMarked
package dev.agentloop.llm.gemini;

import org.jspecify.annotations.NullMarked;
