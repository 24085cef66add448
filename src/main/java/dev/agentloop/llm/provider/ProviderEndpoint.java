package dev.agentloop.llm.provider;

import dev.agentloop.secret.Secrets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a provider is reached and what opens its door.
 *
 * @param provider name of the provider's entry, for messages
 * @param baseUrl as configured, with or without a slash at its end
 * @param key the secret; null for servers that want none
 * @param keySource name of the environment variable that holds or should hold the key; may be empty
 * @param extraHeaders sent with every request; treated as secret as the key
 * @param keyHeader header that carries the key in place of the protocol's own; empty: that one
 */
public record ProviderEndpoint(
        String provider,
        String baseUrl,
        @Nullable String key,
        String keySource,
        Map<String, String> extraHeaders,
        String keyHeader) {
    private static final Pattern VERSION = Pattern.compile("/v\\d+((alpha|beta)\\d*)?$");

    /** With the key where the protocol has it. */
    public ProviderEndpoint(
            String provider,
            String baseUrl,
            @Nullable String key,
            String keySource,
            Map<String, String> extraHeaders) {
        this(provider, baseUrl, key, keySource, extraHeaders, "");
    }

    public ProviderEndpoint {
        extraHeaders = Map.copyOf(extraHeaders);
        key = key == null || key.isBlank() ? null : key.strip();
    }

    /**
     * The address of an operation: {@code path} appended to the base URL unless it ends so already.
     *
     * @param version path element that stands before {@code path}, added if the base ends in no
     *     other, such as {@code /v1beta}; may be empty
     */
    public String url(String version, String path) {
        int query = baseUrl.indexOf('?');
        String base = query < 0 ? baseUrl : baseUrl.substring(0, query);
        String rest = query < 0 ? "" : baseUrl.substring(query);
        while (base.endsWith("/")) {
            base = base.substring(0, base.length() - 1);
        }
        if (base.endsWith(path)) {
            return base + rest;
        }
        return base + (VERSION.matcher(base).find() ? "" : version) + path + rest;
    }

    /** An adapter's headers, with the key moved to the header that this provider wants. */
    Map<String, String> headers(Map<String, String> ofProtocol) {
        Map<String, String> headers = new HashMap<>(ofProtocol);
        String secret = key;
        if (secret != null && !keyHeader.isEmpty()) {
            headers.values().removeIf(value -> value.contains(secret));
            boolean bearer = keyHeader.equalsIgnoreCase("Authorization");
            headers.put(keyHeader, bearer ? "Bearer " + secret : secret);
        }
        headers.putAll(extraHeaders);
        return headers;
    }

    /** What its answers must not repeat. */
    Secrets hidden() {
        Map<String, String> names = new HashMap<>();
        extraHeaders.forEach((name, value) -> names.put(value, name));
        if (key != null) {
            names.put(key, keySource);
        }
        return Secrets.ofValues(names);
    }

    /** For logs and error messages, so without the secrets. */
    @Override
    public String toString() {
        return "ProviderEndpoint[" + provider + ", key from " + keySource + "]";
    }
}
