package dev.agentloop.web;

import dev.agentloop.llm.http.EnvProxies;
import dev.agentloop.llm.http.NetworkFailures;
import dev.agentloop.llm.http.ServerTrust;
import dev.agentloop.tool.ToolException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/**
 * Gets pages with no cookies, no keys and no memory: each request has a connection of its own, to
 * an address that was judged for it. Redirects are followed by hand and only on the same server;
 * another one is for the policy to decide about.
 *
 * <p><b>Contract.</b> {@link Fetch#run} blocks; {@link Fetch#stop} ends it from any thread. Safe
 * for several fetches at once.
 */
final class WebClient {
    private static final int MAX_REDIRECTS = 5;
    private static final int CHUNK = 64 * 1024;
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Set<Integer> MOVED = Set.of(301, 302, 303, 307, 308);
    private static final String WANTED =
            "text/markdown, text/html;q=0.9, application/json;q=0.9, text/*;q=0.8, */*;q=0.1";

    private final WebNetwork network;
    private final int maxBytes;
    private final AddressGuard guard;
    private final EnvProxies proxies;
    private final ServerTrust trust;
    private final OkHttpClient client;

    WebClient(WebNetwork network, int maxBytes) {
        this.network = network;
        this.maxBytes = maxBytes;
        this.guard = new AddressGuard(network);
        this.proxies = new EnvProxies(network.environment());
        this.trust = new ServerTrust(network.cas().get());
        this.client = client();
    }

    private OkHttpClient client() {
        OkHttpClient.Builder builder =
                new OkHttpClient.Builder()
                        .socketFactory(network.sockets())
                        .connectionPool(new ConnectionPool(0, 1, TimeUnit.SECONDS))
                        .retryOnConnectionFailure(false)
                        .followRedirects(false)
                        .followSslRedirects(false)
                        .connectTimeout(CONNECT)
                        .readTimeout(Duration.ZERO); // the fetch as a whole has a limit
        trust.applyTo(builder);
        return proxies.applyTo(builder).build();
    }

    Fetch fetch(HttpUrl url) {
        return new Fetch(url);
    }

    /** One page on its way, with what redirects lead to. */
    final class Fetch {
        private final HttpUrl start;
        private @Nullable Call call;
        private boolean stopped;

        private Fetch(HttpUrl start) {
            this.start = start;
        }

        WebAnswer run() throws ToolException {
            HttpUrl url = start;
            for (int hops = 0; hops <= MAX_REDIRECTS; hops++) {
                try (Response response = send(url)) {
                    HttpUrl next = next(url, response);
                    if (next == null) {
                        return read(url, response);
                    }
                    if (!WebUrl.isSameServer(url, next)) {
                        return new WebAnswer(
                                url, response.code(), "", null, new byte[0], false, next);
                    }
                    url = next;
                } catch (IOException e) {
                    throw ToolException.error("Cannot fetch " + url + ": " + why(e, url));
                }
            }
            throw ToolException.error(
                    "%s redirects more than %d times, last to %s."
                            .formatted(start, MAX_REDIRECTS, url));
        }

        /** Ends what is under way; nothing more is sent. */
        void stop() {
            Call running;
            synchronized (this) {
                stopped = true;
                running = call;
            }
            if (running != null) {
                running.cancel();
            }
        }

        private Response send(HttpUrl url) throws IOException, ToolException {
            OkHttpClient judged = client.newBuilder().dns(guard.check(url)).build();
            Request.Builder request =
                    new Request.Builder()
                            .url(url)
                            .header("User-Agent", "agent")
                            .header("Accept", WANTED);
            String login =
                    url.isHttps()
                            ? null
                            : proxies.authorization(url.scheme(), url.host(), url.port());
            if (login != null) {
                request.header("Proxy-Authorization", login);
            }
            return begin(judged.newCall(request.build())).execute();
        }

        private synchronized Call begin(Call next) {
            call = next;
            if (stopped) {
                next.cancel();
            }
            return next;
        }
    }

    private String why(IOException e, HttpUrl url) {
        return NetworkFailures.explain(
                e,
                url.host() + ":" + url.port(),
                proxies.nameFor(url.scheme(), url.host(), url.port()),
                trust.shown());
    }

    private static @Nullable HttpUrl next(HttpUrl url, Response response) throws ToolException {
        if (!MOVED.contains(response.code())) {
            return null;
        }
        try {
            return WebUrl.redirect(url, response.header("Location"));
        } catch (IllegalArgumentException e) {
            throw ToolException.error(
                    "%s redirects to where it is not followed: %s.".formatted(url, e.getMessage()));
        }
    }

    private WebAnswer read(HttpUrl url, Response response) throws IOException, ToolException {
        MediaType named = response.body().contentType();
        String type =
                named == null
                        ? ""
                        : (named.type() + "/" + named.subtype()).toLowerCase(Locale.ROOT);
        String packed = response.header("Content-Encoding", "identity");
        if (!"identity".equalsIgnoreCase(packed)) {
            throw ToolException.error(
                    url + " is packed as " + packed + ", which nobody asked for.");
        }
        if (!PageText.mayBeText(type)) {
            throw ToolException.error(
                    "%s is %s%s, no text. Its content is not shown."
                            .formatted(url, type, length(response)));
        }
        String charset = named == null ? null : named.parameter("charset");
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        boolean cut = copy(response.body().source(), body);
        return new WebAnswer(url, response.code(), type, charset, body.toByteArray(), cut, null);
    }

    private static String length(Response response) {
        long length = response.body().contentLength();
        return length < 0 ? "" : ", " + length + " bytes";
    }

    /**
     * Whether there is more than may be read; what a server says about its length proves nothing.
     */
    private boolean copy(BufferedSource from, ByteArrayOutputStream to) throws IOException {
        byte[] chunk = new byte[CHUNK];
        while (to.size() < maxBytes) {
            int count = from.read(chunk, 0, Math.min(chunk.length, maxBytes - to.size()));
            if (count < 0) {
                return false;
            }
            to.write(chunk, 0, count);
        }
        return !from.exhausted();
    }
}
