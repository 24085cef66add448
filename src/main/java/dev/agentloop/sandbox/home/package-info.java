/**
 * What commands see of home directories: the files that builds read, and no credentials. The two
 * sandboxes put it into force.
 */
@NullMarked
package dev.agentloop.sandbox.home;

import org.jspecify.annotations.NullMarked;
