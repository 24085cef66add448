/** Models behind Google's generateContent protocol, Gemini's own. */
@NullMarked
package dev.agentloop.llm.gemini;

import org.jspecify.annotations.NullMarked;
