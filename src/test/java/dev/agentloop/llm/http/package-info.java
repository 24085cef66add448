/** Tests of the package of the same name. */
@NullMarked
package dev.agentloop.llm.http;

import org.jspecify.annotations.NullMarked;
