/**
 * Attacks on the sandbox as data, and what runs them: {@code agent doctor --sandbox} on the machine
 * at hand, tests in each tier, and the table in the sandbox's page counts them.
 */
@NullMarked
package dev.agentloop.sandbox.attack;

import org.jspecify.annotations.NullMarked;
