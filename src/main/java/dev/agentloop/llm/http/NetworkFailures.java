package dev.agentloop.llm.http;

import dev.agentloop.llm.LlmException;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.util.Locale;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** What a failure of the network means, in words that name the other end. */
public final class NetworkFailures {
    private NetworkFailures() {}

    /** In one line why a call got no headers; parameters as of {@link #beforeAnswer}. */
    public static String explain(IOException e, String peer, @Nullable String proxy, String shown) {
        return String.valueOf(beforeAnswer(e, peer, proxy, shown).getMessage());
    }

    /**
     * A call that got no headers.
     *
     * @param peer host and port
     * @param proxy host and port of the proxy on the way, if any
     * @param shown whom a server's certificate named; may be empty
     */
    static LlmException beforeAnswer(
            IOException e, String peer, @Nullable String proxy, String shown) {
        String other = otherEnd(peer, proxy);
        String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        if (e instanceof UnknownHostException) {
            String host = proxy == null ? peer : proxy;
            return LlmException.Unavailable.onceMore("cannot resolve " + hostOf(host), e);
        }
        if (proxy != null && text.contains("authenticate with proxy")) {
            return new LlmException.Unauthorized(other + " wants a user and password (HTTP 407)");
        }
        if (isCertificate(e)) {
            return new LlmException.BadRequest(
                    "%s: its TLS certificate is not trusted: %s%s. %s"
                            .formatted(peer, certificate(e), shown, TrustedCas.HOW_TO_ADD));
        }
        if (e instanceof SSLException
                && (text.contains("ssl message") || text.contains("plaintext"))) {
            return LlmException.Unavailable.onceMore(peer + " is not a TLS server", e);
        }
        return new LlmException.Unavailable(other + ": " + describe(e, text), null, e);
    }

    /** Whom we talk to: with a proxy on the way, that is the proxy. */
    static String otherEnd(String peer, @Nullable String proxy) {
        return proxy == null ? peer : "proxy " + proxy + " (on the way to " + peer + ")";
    }

    /** A call that broke while its answer was read. */
    public static LlmException inAnswer(IOException e, String peer) {
        if (e instanceof SseReader.TooLarge) {
            return LlmException.BrokenReply.onceMore(peer + ": " + e.getMessage(), e);
        }
        String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        return new LlmException.BrokenReply(
                peer + ": connection lost in the middle of the answer: " + describe(e, text), e);
    }

    private static String describe(IOException e, String text) {
        if (e instanceof ConnectException && text.contains("refused")
                || causedBy(e, ConnectException.class, "refused")) {
            return "connection refused";
        }
        if (e instanceof NoRouteToHostException) {
            return "no route to the host";
        }
        if (text.contains("reset")
                || e instanceof SocketException && text.contains("broken pipe")) {
            return "connection reset";
        }
        if (e instanceof EOFException || text.contains("unexpected end of stream")) {
            return "closed the connection too early";
        }
        if (e instanceof ProtocolException) {
            return "does not speak HTTP as expected: " + e.getMessage();
        }
        return String.valueOf(e.getMessage());
    }

    private static String certificate(IOException e) {
        if (e instanceof SSLPeerUnverifiedException) {
            return "it is for another host";
        }
        if (causedBy(e, CertificateExpiredException.class, "")) {
            return "it has expired, " + innermost(e);
        }
        return innermost(e);
    }

    private static boolean isCertificate(IOException e) {
        return e instanceof SSLPeerUnverifiedException
                || causedBy(e, CertificateException.class, "");
    }

    private static boolean causedBy(Throwable e, Class<?> kind, String word) {
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (kind.isInstance(cause)
                    && String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT).contains(word)) {
                return true;
            }
        }
        return false;
    }

    private static String innermost(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String line = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        return ErrorText.printable(line);
    }

    private static String hostOf(String hostAndPort) {
        int colon = hostAndPort.lastIndexOf(':');
        return colon < 0 ? hostAndPort : hostAndPort.substring(0, colon);
    }
}
