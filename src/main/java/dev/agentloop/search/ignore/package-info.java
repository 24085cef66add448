/** Which files git would ignore. */
@NullMarked
package dev.agentloop.search.ignore;

import org.jspecify.annotations.NullMarked;
