package dev.agentloop.llm.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Authorities whose word about a server counts: those of the Java installation and those that the
 * user adds for a gateway or a proxy of their own. An addition never takes one away.
 */
public final class TrustedCas {
    /** Names the ways to add one; part of every message about a certificate. */
    static final String HOW_TO_ADD =
            "If you trust it, put its CA into a PEM file and name that in llm.ca_file or"
                    + " SSL_CERT_FILE";

    /** Those of the Java installation alone. */
    public static final TrustedCas SYSTEM = new TrustedCas(List.of());

    private final List<X509Certificate> added;

    private TrustedCas(List<X509Certificate> added) {
        this.added = List.copyOf(added);
    }

    /** These, and the ones in a PEM file. */
    public TrustedCas with(Path pem) throws IOException {
        if (Files.exists(pem) && !Files.isRegularFile(pem)) {
            throw new IOException("it is not a regular file"); // a pipe would be waited for
        }
        List<X509Certificate> all = new ArrayList<>(added);
        try (InputStream in = Files.newInputStream(pem)) {
            Collection<? extends Certificate> found =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            for (Certificate certificate : found) {
                if (certificate instanceof X509Certificate authority) {
                    all.add(authority);
                }
            }
        } catch (CertificateException e) {
            throw new IOException("it is no PEM file with certificates", e);
        }
        if (all.size() == added.size()) {
            throw new IOException("it holds no certificate");
        }
        return new TrustedCas(all);
    }

    X509TrustManager trustManager() {
        try {
            X509TrustManager system = managerOf(null);
            return added.isEmpty() ? system : managerOf(both(system));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this Java installation has no trust store", e);
        }
    }

    /** One store instead of two managers in turn, so that chains may use both. */
    private KeyStore both(X509TrustManager system) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (X509Certificate authority : system.getAcceptedIssuers()) {
            add(store, authority);
        }
        for (X509Certificate authority : added) {
            add(store, authority);
        }
        return store;
    }

    private static void add(KeyStore store, X509Certificate authority) throws KeyStoreException {
        store.setCertificateEntry("ca-" + store.size(), authority);
    }

    private static X509TrustManager managerOf(@Nullable KeyStore store)
            throws GeneralSecurityException {
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509TrustManager known) {
                return known;
            }
        }
        throw new KeyStoreException("no trust manager for X.509");
    }
}
