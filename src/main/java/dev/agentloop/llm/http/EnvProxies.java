package dev.agentloop.llm.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import okhttp3.Credentials;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

/**
 * The proxies that the environment names, as curl reads them: {@code HTTPS_PROXY}, {@code
 * HTTP_PROXY}, {@code ALL_PROXY}, {@code NO_PROXY} in either case. Loopback is never proxied.
 */
public final class EnvProxies extends ProxySelector {
    private final @Nullable URI forHttp;
    private final @Nullable URI forHttps;
    private final String[] exceptions;

    public EnvProxies(Map<String, String> environment) {
        String all = value(environment, "ALL_PROXY");
        forHttp = address(value(environment, "HTTP_PROXY"), all);
        forHttps = address(value(environment, "HTTPS_PROXY"), all);
        exceptions = value(environment, "NO_PROXY").toLowerCase(Locale.ROOT).split("[,\\s]+");
    }

    boolean isEmpty() {
        return forHttp == null && forHttps == null;
    }

    /** Makes the client go through these, and log in to the one on the way to a TLS server. */
    public OkHttpClient.Builder applyTo(OkHttpClient.Builder client) {
        if (isEmpty()) {
            return client.proxy(Proxy.NO_PROXY);
        }
        return client.proxySelector(this)
                .proxyAuthenticator((_, challenge) -> {
                    HttpUrl url = challenge.request().url();
                    String authorization = authorization("https", url.host(), url.port());
                    return authorization == null
                                    || challenge.request().header("Proxy-Authorization") != null
                            ? null
                            : challenge
                                    .request()
                                    .newBuilder()
                                    .header("Proxy-Authorization", authorization)
                                    .build();
                });
    }

    @Override
    public List<Proxy> select(URI target) {
        URI proxy = proxyFor(target.getScheme(), target.getHost(), port(target));
        if (proxy == null) {
            return List.of(Proxy.NO_PROXY);
        }
        boolean socks = proxy.getScheme().startsWith("socks");
        int port = proxy.getPort() >= 0 ? proxy.getPort() : socks ? 1080 : 80;
        return List.of(
                new Proxy(
                        socks ? Proxy.Type.SOCKS : Proxy.Type.HTTP,
                        InetSocketAddress.createUnresolved(bare(proxy.getHost()), port)));
    }

    @Override
    public void connectFailed(URI target, SocketAddress proxy, IOException failure) {
        // there is no other proxy to turn to; the failure reaches the caller anyway
    }

    /** Value of {@code Proxy-Authorization}; null when the proxy's address has no user. */
    public @Nullable String authorization(String scheme, String host, int port) {
        URI proxy = proxyFor(scheme, host, port);
        String user = proxy == null ? null : proxy.getRawUserInfo();
        if (user == null) {
            return null;
        }
        int colon = user.indexOf(':');
        String name = colon < 0 ? user : user.substring(0, colon);
        String password = colon < 0 ? "" : user.substring(colon + 1);
        return Credentials.basic(decoded(name), decoded(password), StandardCharsets.UTF_8);
    }

    /** Host and port of the proxy on the way to a host; null when there is none. */
    public @Nullable String nameFor(String scheme, String host, int port) {
        URI proxy = proxyFor(scheme, host, port);
        return proxy == null
                ? null
                : proxy.getHost() + (proxy.getPort() < 0 ? "" : ":" + proxy.getPort());
    }

    private @Nullable URI proxyFor(String scheme, String host, int port) {
        URI proxy = "https".equals(scheme) ? forHttps : forHttp;
        return proxy == null || isExcepted(bare(host).toLowerCase(Locale.ROOT), port)
                ? null
                : proxy;
    }

    private boolean isExcepted(String host, int port) {
        InetAddress address = literal(host);
        if (host.equals("localhost")
                || host.endsWith(".localhost")
                || address != null && address.isLoopbackAddress()) {
            return true;
        }
        for (String exception : exceptions) {
            if (!exception.isEmpty() && matches(exception, host, port, address)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(
            String exception, String host, int port, @Nullable InetAddress address) {
        if (exception.equals("*")) {
            return true;
        }
        if (exception.indexOf('/') > 0) {
            return address != null && IpNetwork.contains(exception, address);
        }
        String name = exception;
        int colon = name.lastIndexOf(':');
        if (colon > 0 && name.indexOf(':') == colon) { // more colons: an IPv6 address
            if (!name.substring(colon + 1).equals(String.valueOf(port))) {
                return false;
            }
            name = name.substring(0, colon);
        }
        name = bare(name.startsWith("*.") ? name.substring(1) : name);
        String suffix = name.startsWith(".") ? name : "." + name;
        return host.equals(suffix.substring(1)) || host.endsWith(suffix);
    }

    static @Nullable InetAddress bareLiteral(String host) {
        return literal(bare(host));
    }

    static @Nullable InetAddress literal(String host) {
        try {
            return InetAddress.ofLiteral(host); // never asks a name server
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static @Nullable URI address(String own, String all) {
        String text = own.isEmpty() ? all : own;
        if (text.isEmpty()) {
            return null;
        }
        try {
            URI uri = URI.create(text.contains("://") ? text : "http://" + text);
            return uri.getHost() == null ? null : uri;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static int port(URI target) {
        if (target.getPort() >= 0) {
            return target.getPort();
        }
        return "https".equals(target.getScheme()) ? 443 : 80;
    }

    private static String value(Map<String, String> environment, String name) {
        String lower = environment.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        return (lower.isBlank() ? environment.getOrDefault(name, "") : lower).strip();
    }

    private static String bare(String host) {
        return host.startsWith("[") && host.endsWith("]")
                ? host.substring(1, host.length() - 1)
                : host;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
