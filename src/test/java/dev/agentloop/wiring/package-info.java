/** Tests of the package of the same name. */
@NullMarked
package dev.agentloop.wiring;

import org.jspecify.annotations.NullMarked;
