package dev.agentloop.secret.pattern;

/**
 * Where a secret stands in a text.
 *
 * @param name of the variable that holds it, or of its kind
 */
public record Span(int start, int end, String name) {}
