/** The agent loop: ports and values only, no vendor, no terminal, no file format. */
@NullMarked
package dev.agentloop.loop;

import org.jspecify.annotations.NullMarked;
