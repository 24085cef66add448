/**
 * What git would run in the workspace, and what its object store holds: looked at before and after
 * each command, because no mount protects a repository that can be moved and made anew.
 */
@NullMarked
package dev.agentloop.sandbox.git;

import org.jspecify.annotations.NullMarked;
