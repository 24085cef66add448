/** Tests of the package of the same name. */
@NullMarked
package dev.agentloop.llm;

import org.jspecify.annotations.NullMarked;
