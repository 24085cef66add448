package dev.agentloop.web;

import java.util.regex.Pattern;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/** Addresses that may be fetched, in the one form in which they are shown, judged and sent. */
final class WebUrl {
    /** The last part is a number: such a host is an address to whoever resolves it. */
    private static final Pattern NUMBER = Pattern.compile("(?:^|\\.)(?:\\d+|0[xX][0-9a-fA-F]*)$");

    private static final Pattern QUAD =
            Pattern.compile("(?:(?:0|[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5])(?:\\.(?!$)|$)){4}");

    private static final int MAX_LENGTH = 4_000; // longer ones carry data, they name no page

    private WebUrl() {}

    /**
     * Lower case, the host in ASCII and without a dot at its end, no fragment.
     *
     * @throws IllegalArgumentException saying what is wrong
     */
    static HttpUrl parse(String text) {
        String given = text.strip();
        if (given.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("url is longer than " + MAX_LENGTH + " characters");
        }
        if (given.chars().anyMatch(c -> c <= ' ' || c == 0x7F)) {
            throw new IllegalArgumentException("url has a blank or a control character in it");
        }
        HttpUrl url = HttpUrl.parse(given);
        if (url == null) {
            throw new IllegalArgumentException("url must be an http:// or https:// address");
        }
        return checked(url);
    }

    /**
     * Where a server sends the client.
     *
     * @throws IllegalArgumentException saying why nobody should go there
     */
    static @Nullable HttpUrl redirect(HttpUrl from, @Nullable String location) {
        if (location == null) {
            return null;
        }
        HttpUrl to = location.length() > MAX_LENGTH ? null : from.resolve(location);
        if (to == null) {
            throw new IllegalArgumentException("that is no http or https address");
        }
        return checked(to);
    }

    /** Whether both are the same server; from http to https on it is no change. */
    static boolean isSameServer(HttpUrl from, HttpUrl to) {
        boolean upgraded = from.port() == 80 && to.port() == 443 && to.isHttps();
        boolean same = from.port() == to.port() && from.isHttps() == to.isHttps();
        return from.host().equals(to.host()) && (same || upgraded);
    }

    private static HttpUrl checked(HttpUrl url) {
        if (!url.username().isEmpty() || !url.password().isEmpty()) {
            throw new IllegalArgumentException("a url with a user or password is never fetched");
        }
        String host = url.host();
        String bare = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        if (bare.isEmpty() || bare.endsWith(".")) {
            throw new IllegalArgumentException("url has no proper host");
        }
        if (NUMBER.matcher(bare).find() && !QUAD.matcher(bare).matches()) {
            throw new IllegalArgumentException(
                    "the host is a number that programs read differently; write four decimal parts");
        }
        return url.newBuilder().host(bare).fragment(null).build();
    }
}
