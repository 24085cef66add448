package dev.agentloop.wiring.model;

import dev.agentloop.config.catalog.LocalServers;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Asks a loopback address whether a model server lives there, and which models it has. */
public final class LocalProbe implements LocalServers {
    private static final int TIMEOUT_MILLIS = 300;
    private static final long PATIENCE_NANOS = 1_000_000_000; // for a server that drips
    private static final int MAX_BYTES = 1_000_000;

    @Override
    public Optional<String> firstModel(URI baseUrl) {
        return models(baseUrl).stream().findFirst();
    }

    /** All models that the server lists; none when there is no server. */
    public List<String> models(URI baseUrl) {
        try {
            URI models = URI.create(baseUrl.toString().replaceAll("/+$", "") + "/models");
            HttpURLConnection connection =
                    (HttpURLConnection) models.toURL().openConnection(Proxy.NO_PROXY);
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            connection.setInstanceFollowRedirects(false);
            try (InputStream in = connection.getInputStream()) {
                return LiveModels.names(Json.parse(read(in)));
            } finally {
                connection.disconnect();
            }
        } catch (IOException | JsonException | IllegalArgumentException e) {
            return List.of(); // nothing there, or something else
        }
    }

    private static byte[] read(InputStream in) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] piece = new byte[8192];
        long end = System.nanoTime() + PATIENCE_NANOS;
        for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
            all.write(piece, 0, count);
            if (all.size() > MAX_BYTES || System.nanoTime() - end > 0) {
                throw new IOException("too much, or too slow");
            }
        }
        return all.toByteArray();
    }
}
