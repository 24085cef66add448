/** Whether an edited file still reads as what its name says: JSON, Python, shell and others. */
@NullMarked
package dev.agentloop.syntax;

import org.jspecify.annotations.NullMarked;
