package dev.agentloop.web;

import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * What a server said.
 *
 * @param url where it was, after redirects
 * @param type media type in lower case without parameters; empty if the server named none
 * @param charset that the server named
 * @param body unpacked
 * @param cut whether there was more
 * @param movedTo another server, which was not asked; then there is no body
 */
record WebAnswer(
        HttpUrl url,
        int status,
        String type,
        @Nullable String charset,
        byte[] body,
        boolean cut,
        @Nullable HttpUrl movedTo) {}
