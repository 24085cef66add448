/** The parts of one run that depend on where and for whom it runs. */
@NullMarked
package dev.agentloop.wiring.run;

import org.jspecify.annotations.NullMarked;
