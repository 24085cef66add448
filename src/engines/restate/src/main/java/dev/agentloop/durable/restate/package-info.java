/** Tasks in a Restate server: each object of the port is a virtual object there. */
package dev.agentloop.durable.restate;
