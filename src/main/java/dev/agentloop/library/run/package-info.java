/** What a run of the library needs that its callers do not see. */
@NullMarked
package dev.agentloop.library.run;

import org.jspecify.annotations.NullMarked;
