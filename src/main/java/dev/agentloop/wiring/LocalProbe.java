package dev.agentloop.wiring;

import dev.agentloop.config.catalog.LocalServers;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.util.Optional;

/** Asks a loopback address whether a model server lives there; used only when no key is set. */
public final class LocalProbe implements LocalServers {
    private static final int TIMEOUT_MILLIS = 300;
    private static final int MAX_BYTES = 1_000_000;

    @Override
    public Optional<String> firstModel(URI baseUrl) {
        try {
            URI models = URI.create(baseUrl.toString().replaceAll("/+$", "") + "/models");
            HttpURLConnection connection =
                    (HttpURLConnection) models.toURL().openConnection(Proxy.NO_PROXY);
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            connection.setInstanceFollowRedirects(false);
            try (InputStream in = connection.getInputStream()) {
                String id = Json.parse(in.readNBytes(MAX_BYTES)).at("data").at(0).at("id").text();
                return Optional.of(id).filter(name -> !name.isBlank());
            } finally {
                connection.disconnect();
            }
        } catch (IOException | JsonException | IllegalArgumentException e) {
            return Optional.empty(); // nothing there, or something else
        }
    }
}
