/** Tests of the command line. */
@NullMarked
package dev.agentloop.cli;

import org.jspecify.annotations.NullMarked;
