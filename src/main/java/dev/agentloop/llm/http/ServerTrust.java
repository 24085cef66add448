package dev.agentloop.llm.http;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

/** Decides as its authorities do, and remembers whom a server said to be, for the message. */
public final class ServerTrust extends X509ExtendedTrustManager {
    private static final int MAX_NAME = 200; // a name comes from the server, which may be hostile

    private final X509ExtendedTrustManager authorities;
    private volatile @Nullable X509Certificate shown;

    public ServerTrust(TrustedCas cas) {
        X509TrustManager manager = cas.trustManager();
        if (!(manager instanceof X509ExtendedTrustManager extended)) {
            throw new IllegalStateException("an unusual trust manager: " + manager.getClass());
        }
        authorities = extended;
    }

    /** Makes the client decide so. */
    public void applyTo(OkHttpClient.Builder client) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {this}, null);
            client.sslSocketFactory(context.getSocketFactory(), this);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java installation has no TLS", e);
        }
    }

    /** Subject and issuer of the certificate that a server showed last; empty if none did. */
    public String shown() {
        X509Certificate certificate = shown;
        return certificate == null
                ? ""
                : " (subject %s, issuer %s)"
                        .formatted(
                                name(certificate.getSubjectX500Principal().getName()),
                                name(certificate.getIssuerX500Principal().getName()));
    }

    private static String name(String text) {
        String clean = ErrorText.printable(text);
        return clean.length() <= MAX_NAME ? clean : clean.substring(0, MAX_NAME) + "…";
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        shown = chain[0];
        authorities.checkServerTrusted(chain, type, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        shown = chain[0];
        authorities.checkServerTrusted(chain, type, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        shown = chain[0];
        authorities.checkServerTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        throw new CertificateException("no server here");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        throw new CertificateException("no server here");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        throw new CertificateException("no server here");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return authorities.getAcceptedIssuers();
    }
}
