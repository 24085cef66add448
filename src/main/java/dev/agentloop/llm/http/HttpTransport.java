package dev.agentloop.llm.http;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Time;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.PartialReply;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import okhttp3.Call;
import okhttp3.ConnectionSpec;
import okhttp3.Dns;
import okhttp3.EventListener;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * The run's one way to providers. Sends each request exactly once: no redirects, no hidden resends.
 * Connections are kept for the next call.
 *
 * <p><b>Contract.</b> Used by one thread at a time, which does the work itself. Other threads look
 * names up and open connections to names, whose addresses race each other, so that a stalled one
 * never holds the caller. {@link #close} ends all connections at once.
 */
public final class HttpTransport implements AutoCloseable {
    private final Time time;
    private final HttpLimits limits;
    private final EnvProxies proxies;
    private final StoppableDns names;
    private final ExecutorService workers =
            Executors.newCachedThreadPool(work -> daemon(work, "name lookup"));
    private @Nullable OkHttpClient plain;
    private @Nullable OkHttpClient secure;
    private @Nullable ServerTrust trust;
    private final Supplier<TrustedCas> cas;

    /**
     * @param environment where proxies are named; empty for none
     */
    public HttpTransport(Time time, Map<String, String> environment, HttpLimits limits) {
        this(time, environment, limits, () -> TrustedCas.SYSTEM);
    }

    /**
     * @param cas asked once a server wants TLS; those of a local one need not be read
     */
    public HttpTransport(
            Time time,
            Map<String, String> environment,
            HttpLimits limits,
            Supplier<TrustedCas> cas) {
        this(time, environment, limits, cas, Dns.SYSTEM);
    }

    HttpTransport(
            Time time,
            Map<String, String> environment,
            HttpLimits limits,
            Supplier<TrustedCas> cas,
            Dns names) {
        this.time = time;
        this.limits = limits;
        this.cas = cas;
        this.proxies = new EnvProxies(environment);
        this.names = new StoppableDns(names, workers);
    }

    /** Loads what every client needs while the caller does something else; 25 ms of a start. */
    public static void prepare() {
        daemon(OkHttpClient.Builder::new, "http setup").start();
    }

    public Time time() {
        return time;
    }

    public HttpLimits limits() {
        return limits;
    }

    /** Host and port of the proxy on the way to {@code url}; null when there is none. */
    @Nullable
    public String proxyFor(HttpUrl url) {
        return proxies.nameFor(url.scheme(), url.host(), url.port());
    }

    /**
     * Sends and waits for the headers. The caller reads and closes the answer.
     *
     * @param body null for a GET
     */
    public HttpAnswer send(
            @Nullable RequestBody body, KeyHeaders secrets, Cancellation cancellation) {
        HttpUrl url = secrets.owner();
        PendingCall pending = new PendingCall();
        String other = NetworkFailures.otherEnd(peer(url), proxyFor(url));
        CallWatch watch = new CallWatch(time, limits, other, pending::stop);
        Cancellation.Registration link =
                cancellation.onCancel(() ->
                        pending.stop(
                                new LlmException.Cancelled(cancellation.cause().orElseThrow())));
        boolean interrupted = Thread.interrupted(); // calls are stopped by the cancellation only
        boolean answered = false;
        names.askFor(pending);
        try {
            watch.start();
            Call call = call(body, new Outgoing(watch, secrets));
            pending.begin(call);
            Response response = call.execute();
            pending.answered(response);
            watch.reading();
            answered = true;
            return new HttpAnswer(response, pending, watch, link, limits.maxReplyBytes());
        } catch (IOException e) {
            LlmException stopped = pending.stopped();
            throw stopped == null ? unanswered(url, e) : afterStop(stopped, watch);
        } catch (LlmException e) {
            throw afterStop(e, watch);
        } finally {
            names.askFor(null);
            if (!answered) {
                watch.close();
                link.close();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private LlmException unanswered(HttpUrl url, IOException e) {
        client(url).connectionPool().evictAll(); // others of that age are stale, too
        String shown = trust == null ? "" : trust.shown();
        return NetworkFailures.beforeAnswer(e, peer(url), proxyFor(url), shown);
    }

    /** Nobody waits any more, but the server may be at work. */
    private static LlmException afterStop(LlmException e, CallWatch watch) {
        return watch.isSent() ? e.after(PartialReply.UNHEARD) : e;
    }

    /** What travels with a request through OkHttp; one tag, each is a search of its own. */
    private record Outgoing(CallWatch watch, KeyHeaders secrets) {}

    public static String peer(HttpUrl url) {
        return url.host() + ":" + url.port();
    }

    @Override
    public void close() {
        workers.shutdownNow();
        for (OkHttpClient client : new @Nullable OkHttpClient[] {plain, secure}) {
            if (client != null) {
                client.dispatcher().cancelAll();
                client.connectionPool().evictAll();
            }
        }
    }

    private Call call(@Nullable RequestBody body, Outgoing outgoing) {
        HttpUrl url = outgoing.secrets().owner();
        Request.Builder request =
                new Request.Builder()
                        .url(url)
                        .header("User-Agent", "agent")
                        .method(body == null ? "GET" : "POST", body)
                        .tag(Outgoing.class, outgoing);
        String authorization = proxies.authorization(url.scheme(), url.host(), url.port());
        if (authorization != null && !url.isHttps()) {
            request.header("Proxy-Authorization", authorization);
        }
        return client(url).newCall(request.build());
    }

    private OkHttpClient client(HttpUrl url) {
        if (url.isHttps()) {
            if (secure == null) {
                OkHttpClient.Builder client = base();
                trust = new ServerTrust(cas.get());
                trust.applyTo(client);
                secure = client.build();
            }
            return secure;
        }
        if (plain == null) { // setting up TLS costs 50 ms, which a local server need not pay
            plain =
                    base().socketFactory(new NoDelaySockets(GatheringSocket::new))
                            .connectionSpecs(List.of(ConnectionSpec.CLEARTEXT))
                            .protocols(List.of(Protocol.HTTP_1_1))
                            .fastFallback(!isQuick(url.host()))
                            .build();
        }
        return plain;
    }

    /** To try the next address beside a silent one takes a thread; these have no silent one. */
    private static boolean isQuick(String host) {
        return host.equals("localhost") || EnvProxies.literal(host) != null;
    }

    private OkHttpClient.Builder base() {
        OkHttpClient.Builder client =
                new OkHttpClient.Builder()
                        .dns(names)
                        .socketFactory(new NoDelaySockets(Socket::new))
                        .retryOnConnectionFailure(false)
                        .followRedirects(false)
                        .followSslRedirects(false)
                        .connectTimeout(Duration.ZERO) // the watch has all the deadlines
                        .readTimeout(Duration.ZERO)
                        .writeTimeout(Duration.ZERO)
                        .eventListenerFactory(HttpTransport::watch)
                        .addNetworkInterceptor(HttpTransport::guard);
        return proxies.applyTo(client);
    }

    private static EventListener watch(Call call) {
        Outgoing outgoing = call.request().tag(Outgoing.class);
        return outgoing == null ? EventListener.NONE : outgoing.watch();
    }

    /** Adds the secrets for their own server only, and hides what makes OkHttp send again. */
    private static Response guard(Interceptor.Chain chain) throws IOException {
        Request request = chain.request();
        Outgoing outgoing = request.tag(Outgoing.class);
        Response response =
                chain.proceed(outgoing == null ? request : outgoing.secrets().addTo(request));
        String wait = response.header("Retry-After");
        if (response.code() != 503 || wait == null) {
            return response;
        }
        return response.newBuilder()
                .removeHeader("Retry-After")
                .header(RetryAfter.HIDDEN, wait)
                .build();
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }
}
