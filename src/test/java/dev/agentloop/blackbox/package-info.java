/**
 * Tests that see the program from outside: a model server of their own, the packaged jar as a
 * process, and what every run must leave behind, whatever it was.
 */
@NullMarked
package dev.agentloop.blackbox;

import org.jspecify.annotations.NullMarked;
