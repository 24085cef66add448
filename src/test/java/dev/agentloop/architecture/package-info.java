/** Rules about the code as a whole. */
@NullMarked
package dev.agentloop.architecture;

import org.jspecify.annotations.NullMarked;
