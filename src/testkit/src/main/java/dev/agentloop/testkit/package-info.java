/** JUnit tests of programs with an agent in them: cassettes, scripts, and what to assert. */
package dev.agentloop.testkit;
