package dev.agentloop.llm.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.SystemTime;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.llm.openai.OpenAiChatAdapter;
import dev.agentloop.llm.provider.ProviderEndpoint;
import dev.agentloop.message.Message;
import dev.agentloop.testing.RawServer;
import dev.agentloop.testing.TlsCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers whose certificates are good, and servers whose certificates are not. */
@Timeout(30)
final class TlsTest {
    private static final String HERE = "127.0.0.1";
    private static final String ANSWER =
            "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\n"
                    + "data: [DONE]\n\n";

    private final TlsCertificates certificates = new TlsCertificates();
    @TempDir Path folder;

    @Test
    @Tag("A07")
    @DisplayName("a self-signed certificate: subject, issuer and the option; no key is sent")
    void selfSigned() throws IOException {
        String message = refused(certificates.selfSigned(HERE), ours());

        assertTrue(
                message.contains("(subject CN=Server 127.0.0.1, issuer CN=Server 127.0.0.1)"),
                message);
    }

    @Test
    @Tag("A07")
    @DisplayName("an expired certificate is said to have expired, whoever signed it")
    void expired() throws IOException {
        String message = refused(certificates.expired(HERE), ours());

        assertTrue(message.contains("it has expired, NotAfter: "), message);
        assertTrue(
                message.contains("(subject CN=Server 127.0.0.1, issuer CN=Test Authority)"),
                message);
    }

    @Test
    @Tag("A07")
    @DisplayName("a certificate for another host is said to be for another host")
    void otherHost() throws IOException {
        String message = refused(certificates.of("api.example"), ours());

        assertTrue(message.contains("not trusted: it is for another host (subject"), message);
        assertTrue(message.contains("CN=Server api.example, issuer CN=Test Authority"), message);
    }

    @Test
    @Tag("A07")
    @DisplayName("an authority that nobody knows is refused, and known once a file names it")
    void unknownAuthority() throws IOException {
        refused(certificates.of(HERE), TrustedCas.SYSTEM);

        try (RawServer server = server(certificates.of(HERE))) {
            assertEquals("hi", ask(server, ours()));
        }
    }

    @Test
    void anAdditionTakesNoAuthorityAway() throws IOException {
        int system = TrustedCas.SYSTEM.trustManager().getAcceptedIssuers().length;

        assertEquals(system + 1, ours().trustManager().getAcceptedIssuers().length);
    }

    @Test
    void aNameOfAServerCannotReachTheTerminal() throws IOException {
        HeldCertificate nasty =
                new HeldCertificate.Builder()
                        .commonName("\u001b[31m" + "x".repeat(5_000))
                        .addSubjectAlternativeName(HERE)
                        .build();
        String message = refused(nasty, ours());

        assertTrue(message.length() < 1_000, message);
        assertFalse(message.contains("\u001b"), message);
    }

    @Test
    void aFileWithoutCertificatesIsRefused() throws IOException {
        for (String text : List.of("", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n")) {
            Path file = Files.writeString(folder.resolve("bad.pem"), text);
            assertThrows(IOException.class, () -> TrustedCas.SYSTEM.with(file), text);
        }
    }

    private TrustedCas ours() throws IOException {
        Path pem = Files.writeString(folder.resolve("ca.pem"), certificates.authorityPem());
        return TrustedCas.SYSTEM.with(pem);
    }

    private static RawServer server(HeldCertificate certificate) {
        return RawServer.start(TlsCertificates.sockets(certificate), RawServer.events(ANSWER));
    }

    /** The message of a failure that is not worth a retry; nothing was sent. */
    private static String refused(HeldCertificate certificate, TrustedCas cas) {
        try (RawServer server = server(certificate)) {
            LlmException.BadRequest failure =
                    assertThrows(LlmException.BadRequest.class, () -> ask(server, cas));
            String message = String.valueOf(failure.getMessage());

            assertEquals(0, failure.worthwhileRetries());
            assertEquals(List.of(), server.requests());
            assertTrue(message.startsWith(HERE + ":" + server.port() + ": its TLS "), message);
            assertTrue(message.contains("in llm.ca_file or SSL_CERT_FILE"), message);
            return message;
        }
    }

    private static String ask(RawServer server, TrustedCas cas) {
        String address = "https://" + HERE + ":" + server.port() + "/v1";
        HttpTransport transport =
                new HttpTransport(new SystemTime(), Map.of(), HttpLimits.DEFAULT, () -> cas);
        ProviderEndpoint endpoint =
                new ProviderEndpoint("p", address, "sk-canary-tls", "CANARY", Map.of());
        try (OpenAiChatAdapter adapter =
                new OpenAiChatAdapter(endpoint, new ModelInfo("p", "m", 0, 0), transport)) {
            LlmRequest request =
                    new LlmRequest(List.of(new Message.User("x")), List.of(), true, 0, true);
            return adapter.complete(request, LlmListener.NONE, new Cancellation()).message().text();
        }
    }
}
