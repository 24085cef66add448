/** The words of a command line as a shell would read them. */
@NullMarked
package dev.agentloop.shell.parse;

import org.jspecify.annotations.NullMarked;
