/**
 * What a command line would do, read without running it: its sub-commands, the files they name, and
 * whether all of it is proven to only read. An adviser on whether to ask; what holds a command back
 * is the sandbox.
 */
@NullMarked
package dev.agentloop.shell;

import org.jspecify.annotations.NullMarked;
