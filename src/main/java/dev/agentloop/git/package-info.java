/**
 * Questions to git, asked so that nothing runs which a repository names. May import process and
 * control; may not import tools, the loop or the configuration.
 */
@NullMarked
package dev.agentloop.git;

import org.jspecify.annotations.NullMarked;
