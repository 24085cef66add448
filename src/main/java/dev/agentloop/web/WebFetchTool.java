package dev.agentloop.web;

import dev.agentloop.control.Cancellation;
import dev.agentloop.llm.http.TrustedCas;
import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.BuiltInTool;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.HostPattern;
import dev.agentloop.tool.SubjectKind;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.SocketFactory;
import okhttp3.Dns;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/** Gets a public page and shows it as Markdown; nothing of the web is loaded before it is used. */
public final class WebFetchTool extends BuiltInTool<WebFetchTool.Args> {
    private final WebLimits limits;
    private final Supplier<WebNetwork> network;
    private @Nullable WebClient client;
    private @Nullable WebPage last;

    /**
     * @param environment where proxies are named
     * @param cas whom servers may be vouched for by; asked at the first call
     * @param privateHosts servers that may be anywhere, because the person said so
     */
    public WebFetchTool(
            WebLimits limits,
            Map<String, String> environment,
            Supplier<TrustedCas> cas,
            List<HostPattern> privateHosts) {
        this(
                limits,
                () ->
                        new WebNetwork(
                                Dns.SYSTEM,
                                SocketFactory.getDefault(),
                                environment,
                                cas,
                                privateHosts));
    }

    WebFetchTool(WebLimits limits, Supplier<WebNetwork> network) {
        super("web_fetch", Effect.OPAQUE, Args.class);
        this.limits = limits;
        this.network = network;
    }

    /** Which page, and where to go on in it. */
    public record Args(String url, @Nullable Integer offset) {
        public Args {
            WebUrl.parse(url);
            if (offset != null && offset < 1) {
                throw new IllegalArgumentException("offset counts characters from 1");
            }
        }

        HttpUrl address() {
            return WebUrl.parse(url);
        }

        int first() {
            return offset == null ? 1 : offset;
        }
    }

    /** In the form that is judged and sent, so that no spelling of a host hides another. */
    @Override
    public String subject(Args args) {
        return args.address().toString();
    }

    @Override
    public SubjectKind subjectKind() {
        return SubjectKind.URL;
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws ToolException {
        HttpUrl url = args.address();
        WebPage page = args.first() > 1 ? remembered(url) : null;
        if (page == null) {
            page = fetch(url, context.cancellation());
            remember(page);
        }
        return page.show(args.first(), Math.min(limits.pageChars(), context.resultChars()));
    }

    private WebPage fetch(HttpUrl url, Cancellation cancellation) throws ToolException {
        WebClient.Fetch fetch = client().fetch(url);
        CompletableFuture<WebPage> page = new CompletableFuture<>();
        // a thread of its own: neither a name server nor the parser can be interrupted
        Thread worker = new Thread(() -> work(fetch, url, page), "web fetch");
        worker.setDaemon(true);
        worker.start();
        Cancellation.Registration link = cancellation.onCancel(() -> page.cancel(false));
        try {
            return page.get(limits.total().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw ToolException.error(
                    "%s took longer than %d ms and was given up. Try another page."
                            .formatted(url, limits.total().toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ToolException.error("Not fetched to its end: interrupted.");
        } catch (CancellationException e) {
            throw ToolException.error("Not fetched to its end: the run is ending.");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ToolException known) {
                throw known;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            link.close();
            fetch.stop();
        }
    }

    private static void work(WebClient.Fetch fetch, HttpUrl url, CompletableFuture<WebPage> page) {
        try {
            WebAnswer answer = fetch.run();
            page.complete(
                    answer.movedTo() == null
                            ? WebPage.of(url, answer, PageText.of(answer))
                            : WebPage.moved(url, answer, answer.movedTo()));
        } catch (ToolException | RuntimeException | StackOverflowError | OutOfMemoryError e) {
            page.completeExceptionally(e);
        }
    }

    private synchronized WebClient client() {
        if (client == null) {
            client = new WebClient(network.get(), limits.maxBytes());
        }
        return client;
    }

    private synchronized void remember(WebPage page) {
        last = page;
    }

    private synchronized @Nullable WebPage remembered(HttpUrl url) {
        return last != null && last.asked().equals(url) ? last : null;
    }
}
