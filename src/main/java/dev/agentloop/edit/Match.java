package dev.agentloop.edit;

/**
 * A place where the old text stands, exactly or nearly.
 *
 * @param start first character of it
 * @param end character after its last one
 * @param style how a new line is written there
 */
record Match(int start, int end, LineStyle style) {}
