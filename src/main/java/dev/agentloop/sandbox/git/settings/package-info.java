/** Settings of git as git reads them: which of them could start a program, and which come back. */
@NullMarked
package dev.agentloop.sandbox.git.settings;

import org.jspecify.annotations.NullMarked;
