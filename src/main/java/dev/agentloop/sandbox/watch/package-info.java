/**
 * What a command changes of control files and repositories is looked for before and after it, and
 * after a run that was killed. Traps are renamed, the rest is reported.
 */
@NullMarked
package dev.agentloop.sandbox.watch;

import org.jspecify.annotations.NullMarked;
