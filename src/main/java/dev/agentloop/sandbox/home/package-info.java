/**
 * What commands see of home directories: the files that builds read, and no credentials. The two
 * sandboxes put it into force.
 *
 * <p>May import: sandbox.git. May not import: anything else.
 */
@NullMarked
package dev.agentloop.sandbox.home;

import org.jspecify.annotations.NullMarked;
