package dev.agentloop.edit;

/**
 * One replacement in a text.
 *
 * @param start first character replaced
 * @param end character after the last one replaced
 */
public record Splice(int start, int end, String replacement) {}
