/**
 * What commands may touch, enforced by the operating system: bubblewrap, or Landlock where that
 * cannot start. Decides nothing about permissions and asks nobody.
 */
@NullMarked
package dev.agentloop.sandbox;

import org.jspecify.annotations.NullMarked;
