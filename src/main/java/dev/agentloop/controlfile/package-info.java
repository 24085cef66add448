/**
 * Which files of a workspace make other programs run something, or tell agents what to do: the one
 * list of their names, and where links lead that have such a name.
 */
@NullMarked
package dev.agentloop.controlfile;

import org.jspecify.annotations.NullMarked;
