/** What the adapters of the providers share: requests as bytes, replies, errors. */
@NullMarked
package dev.agentloop.llm.provider;

import org.jspecify.annotations.NullMarked;
