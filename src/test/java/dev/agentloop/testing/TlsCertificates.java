package dev.agentloop.testing;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import javax.net.ServerSocketFactory;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/** Certificates of servers as they should and should not be, all by one authority or their own. */
public final class TlsCertificates {
    private final HeldCertificate authority =
            new HeldCertificate.Builder()
                    .commonName("Test Authority")
                    .certificateAuthority(0)
                    .build();

    /** The authority's certificate as a PEM file holds it. */
    public String authorityPem() {
        return authority.certificatePem();
    }

    /** A good one for a host. */
    public HeldCertificate of(String host) {
        return server(host).signedBy(authority).build();
    }

    public HeldCertificate expired(String host) {
        Instant now = Instant.now();
        return server(host)
                .signedBy(authority)
                .validityInterval(
                        now.minus(20, ChronoUnit.DAYS).toEpochMilli(),
                        now.minus(10, ChronoUnit.DAYS).toEpochMilli())
                .build();
    }

    public HeldCertificate selfSigned(String host) {
        return server(host).build();
    }

    private static HeldCertificate.Builder server(String host) {
        return new HeldCertificate.Builder()
                .commonName("Server " + host)
                .addSubjectAlternativeName(host);
    }

    /** What a server listens with that shows this certificate. */
    public static ServerSocketFactory sockets(HeldCertificate certificate) {
        return new HandshakeCertificates.Builder()
                .heldCertificate(certificate)
                .build()
                .sslContext()
                .getServerSocketFactory();
    }
}
