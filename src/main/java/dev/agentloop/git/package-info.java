/** Questions to git, asked so that nothing runs which a repository names. */
@NullMarked
package dev.agentloop.git;

import org.jspecify.annotations.NullMarked;
