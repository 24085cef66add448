package dev.agentloop.trust;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.storage.PrivateFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The servers for which a person has named a key, so that a session goes on there without being
 * told again. One file, {@code key-hosts.json}: a journal, which others may have made, cannot say
 * where keys go.
 */
public final class KeyHosts {
    private final PrivateFile file;

    /**
     * @param folder of the user's state, outside of every workspace; need not exist
     */
    public KeyHosts(Path folder) {
        this.file = new PrivateFile(folder, "key-hosts.json");
    }

    /**
     * Whether the key in a variable was meant for a server.
     *
     * @throws IOException if the file is there but cannot be read or understood
     */
    public boolean has(String variable, URI server) throws IOException {
        return load().contains(entry(variable, server));
    }

    /** From now on the key in the variable may be sent to the server. */
    public void add(String variable, URI server) throws IOException {
        if (!has(variable, server)) {
            file.change(() -> {
                Set<String> entries = load();
                entries.add(entry(variable, server));
                return Json.text(
                                new JsonValue(Map.of("servers", entries.stream().toList()))
                                        ::writeTo)
                        + "\n";
            });
        }
    }

    /** Scheme, host and port; the path makes no other server. */
    private static String entry(String variable, URI server) {
        String origin = server.getScheme() + "://" + server.getRawAuthority();
        return variable + " " + origin.toLowerCase(Locale.ROOT);
    }

    private Set<String> load() throws IOException {
        Set<String> entries = new TreeSet<>();
        String text = file.read();
        if (!text.isEmpty()) {
            try {
                Json.parse(text).at("servers").items().forEach(item -> entries.add(item.text()));
            } catch (JsonException e) {
                throw new IOException(file.path() + " is not JSON: " + e.getMessage(), e);
            }
        }
        return entries;
    }
}
