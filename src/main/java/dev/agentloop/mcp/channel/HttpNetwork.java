package dev.agentloop.mcp.channel;

import dev.agentloop.llm.http.EnvProxies;
import dev.agentloop.llm.http.NetworkFailures;
import dev.agentloop.llm.http.ServerTrust;
import dev.agentloop.llm.http.TrustedCas;
import dev.agentloop.web.PublicAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.Dns;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;

/**
 * The way to servers of the web. Redirects are for the caller to judge. A server that the user
 * named may be anywhere; whatever else is named, by a server or a project, must be public.
 */
public final class HttpNetwork {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    // Node and uvicorn close idle connections after 5 s; OkHttp looks only after 10 s whether one
    // is
    // still open, and a call that is written to a closed one may not be made again.
    private static final int IDLE_SECONDS = 4;

    private final EnvProxies proxies;
    private final Supplier<TrustedCas> cas;
    private @Nullable OkHttpClient client;
    private @Nullable ServerTrust trust;

    /**
     * @param environment where proxies are named
     * @param cas whom servers may be vouched for by; asked at the first call
     */
    public HttpNetwork(Map<String, String> environment, Supplier<TrustedCas> cas) {
        this.proxies = new EnvProxies(environment);
        this.cas = cas;
    }

    /**
     * A call that is not yet made.
     *
     * @param named whether the user named the server
     */
    public Call call(Request request, boolean named, Duration timeout) throws IOException {
        HttpUrl url = request.url();
        OkHttpClient.Builder builder = client().newBuilder().callTimeout(timeout);
        if (!named) {
            List<InetAddress> found = judged(url.host()); // only that is connected to
            builder.dns(host -> host.equals(url.host()) ? found : Dns.SYSTEM.lookup(host));
        }
        String login =
                url.isHttps() ? null : proxies.authorization(url.scheme(), url.host(), url.port());
        Request whole =
                login == null
                        ? request
                        : request.newBuilder().header("Proxy-Authorization", login).build();
        return builder.build().newCall(whole);
    }

    /** Why a call failed, for people. */
    public String why(IOException e, HttpUrl url) {
        ServerTrust known = trust;
        return NetworkFailures.explain(
                e,
                url.host() + ":" + url.port(),
                proxies.nameFor(url.scheme(), url.host(), url.port()),
                known == null ? "" : known.shown());
    }

    /** Drops connections that nobody uses. */
    synchronized void evict() {
        if (client != null) {
            client.connectionPool().evictAll();
        }
    }

    /** An address that nobody but the user may name. */
    public static final class OffLimits extends IOException {
        private static final long serialVersionUID = 1L;

        OffLimits(String message) {
            super(message);
        }
    }

    private static List<InetAddress> judged(String host) throws IOException {
        List<InetAddress> found = Dns.SYSTEM.lookup(host);
        for (InetAddress address : found) {
            if (!PublicAddress.is(address)) {
                throw new OffLimits(
                        host
                                + " is at "
                                + address.getHostAddress()
                                + ", which is no public address, and the user did not name it");
            }
        }
        return found;
    }

    private synchronized OkHttpClient client() {
        if (client == null) {
            ServerTrust trusted = new ServerTrust(cas.get());
            OkHttpClient.Builder builder =
                    new OkHttpClient.Builder()
                            .followRedirects(false)
                            .followSslRedirects(false)
                            .retryOnConnectionFailure(false) // a call may have had its effect
                            .connectionPool(new ConnectionPool(5, IDLE_SECONDS, TimeUnit.SECONDS))
                            .connectTimeout(CONNECT)
                            .readTimeout(Duration.ZERO); // a stream may be silent for hours
            trusted.applyTo(builder);
            trust = trusted;
            client = proxies.applyTo(builder).build();
        }
        return client;
    }
}
