package dev.agentloop.durable.restate;

import dev.agentloop.durable.engine.DurableException;
import dev.agentloop.durable.engine.DurableObjects;
import dev.agentloop.json.Json;
import dev.restate.sdk.http.vertx.RestateHttpServer;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Calls virtual objects through the ingress, and in a worker carries their operations out. */
final class RestateObjects implements DurableObjects {
    private static final Duration CALL = Duration.ofSeconds(20); // then it is asked again
    private static final long AGAIN_MILLIS = 200;
    private static final long START_SECONDS = 20;
    private static final int SERVER_ERROR = 500;
    private static final int NOT_FOUND = 404;

    private final String ingress;
    private final String admin;
    private final String endpoint;
    private final Duration patience;
    private final HttpClient client;
    private Vertx vertx;

    RestateObjects(String ingress, String admin, String endpoint, Duration patience) {
        this.ingress = ingress.replaceFirst("/+$", "");
        this.admin = admin.replaceFirst("/+$", "");
        this.endpoint = endpoint;
        this.patience = patience;
        this.client =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(Duration.ofSeconds(5))
                        .build();
    }

    @Override
    public String apply(Operation operation) throws DurableException {
        return call(operation, "apply", UUID.randomUUID().toString());
    }

    @Override
    public String read(Operation operation) throws DurableException {
        return call(operation, "read", "");
    }

    /** With a key of its own an operation that is asked for again is still done once. */
    private String call(Operation operation, String handler, String key) throws DurableException {
        if (!operation.key().matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            throw new DurableException("\"" + operation.key() + "\" is no name.");
        }
        URI uri =
                URI.create(
                        ingress
                                + "/"
                                + Handlers.SERVICES.get(operation.kind())
                                + "/"
                                + operation.key()
                                + "/"
                                + handler);
        String body =
                "{\"name\":"
                        + Json.quote(operation.name())
                        + ",\"input\":"
                        + Json.quote(operation.input())
                        + "}";
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri)
                        .timeout(CALL.compareTo(patience) < 0 ? CALL : patience)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body));
        if (!key.isEmpty()) {
            request.header("Idempotency-Key", key);
        }
        return send(request.build(), "the Restate server at " + ingress);
    }

    private String send(HttpRequest request, String whom) throws DurableException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            String problem;
            try {
                HttpResponse<String> response =
                        client.send(request, HttpResponse.BodyHandlers.ofString());
                if (response.statusCode() < 300) {
                    return response.body();
                }
                problem = "status " + response.statusCode() + ": " + response.body();
                if (response.statusCode() == NOT_FOUND) {
                    throw new DurableException(
                            "At "
                                    + whom
                                    + " no worker has ever registered. Start one: agent worker"
                                    + " --engine restate --root DIR");
                }
                if (response.statusCode() < SERVER_ERROR) {
                    throw new DurableException(whom + " refuses: " + problem);
                }
            } catch (IOException e) {
                problem = String.valueOf(e.getMessage() == null ? e : e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new DurableException("interrupted");
            }
            if (System.nanoTime() > end) {
                throw new DurableException(
                        "No answer from "
                                + whom
                                + " within "
                                + patience.toSeconds()
                                + " s ("
                                + problem
                                + "). Is it running, and is there a worker?");
            }
            pause();
        }
    }

    private static void pause() throws DurableException {
        try {
            Thread.sleep(AGAIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DurableException("interrupted");
        }
    }

    /** Listens for the server, together with the other workers of this machine, and says where. */
    @Override
    public void serve() throws DurableException {
        URI here = URI.create(endpoint);
        vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(2));
        HttpServerOptions options =
                new HttpServerOptions()
                        .setHost(System.getenv().getOrDefault("AGENT_RESTATE_LISTEN", here.getHost()))
                        .setPort(here.getPort())
                        .setReusePort(true);
        try {
            RestateHttpServer.fromEndpoint(vertx, Handlers.endpoint(), options)
                    .listen()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(START_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new DurableException(
                    "Cannot listen at " + endpoint + ": " + e.getMessage()
                            + ". Choose another one with AGENT_RESTATE_ENDPOINT.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DurableException("interrupted");
        }
        HttpRequest register =
                HttpRequest.newBuilder(URI.create(admin + "/deployments"))
                        .timeout(CALL)
                        .header("Content-Type", "application/json")
                        .POST(
                                HttpRequest.BodyPublishers.ofString(
                                        "{\"uri\":" + Json.quote(endpoint) + "}"))
                        .build();
        send(register, "the admin API of Restate at " + admin);
    }

    @Override
    public void close() {
        if (vertx != null) {
            vertx.close();
        }
        client.close();
    }
}
