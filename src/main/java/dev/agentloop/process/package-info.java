/**
 * Running commands: started in their own session, drained without growing, and gone at the end with
 * everything that they started, also when this program is killed.
 */
@NullMarked
package dev.agentloop.process;

import org.jspecify.annotations.NullMarked;
