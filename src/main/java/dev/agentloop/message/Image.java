package dev.agentloop.message;

/**
 * A picture for a model that sees.
 *
 * @param mediaType e.g. {@code image/png}
 * @param base64 the file's bytes
 */
public record Image(String mediaType, String base64) {}
