/** Tasks in a Temporal service: each object of the port is a workflow there. */
package dev.agentloop.durable.temporal;
