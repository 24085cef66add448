/**
 * What commands see of home directories: the files that builds read, and no credentials. Names and
 * paths only; the two sandboxes put it into force. May import nothing but java.base.
 */
@NullMarked
package dev.agentloop.sandbox.home;

import org.jspecify.annotations.NullMarked;
