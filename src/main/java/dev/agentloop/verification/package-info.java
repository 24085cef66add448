/** Whether the work of a run was checked: tests, builds and linters behind its last change. */
@NullMarked
package dev.agentloop.verification;

import org.jspecify.annotations.NullMarked;
