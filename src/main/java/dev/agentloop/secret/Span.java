package dev.agentloop.secret;

/**
 * Where a secret stands in a text.
 *
 * @param name of the variable that holds it, or of its kind
 */
record Span(int start, int end, String name) {}
