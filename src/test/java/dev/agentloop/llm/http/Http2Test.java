package dev.agentloop.llm.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.SystemTime;
import dev.agentloop.llm.Heard;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.llm.decorator.RetryingLlm;
import dev.agentloop.llm.openai.OpenAiChatAdapter;
import dev.agentloop.llm.provider.ProviderEndpoint;
import dev.agentloop.message.Message;
import dev.agentloop.testing.FakeTime;
import dev.agentloop.testing.TlsCertificates;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Over TLS providers speak HTTP/2. Without TLS we never do, so there is no h2c to test. */
@Timeout(30)
final class Http2Test {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int GOAWAY = 7;
    private static final int ACK = 1;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final byte STATUS_200 = (byte) 0x88; // entry 8 of the static table, RFC 7541
    private static final int PREFACE = 24; // bytes, RFC 9113 3.4

    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
    @TempDir Path folder;

    @Test
    @Tag("A70")
    @DisplayName("HTTP/2 GOAWAY with our request in flight: one retry, on a new connection")
    void goAway() throws IOException {
        TlsCertificates certificates = new TlsCertificates();
        Path pem = Files.writeString(folder.resolve("ca.pem"), certificates.authorityPem());
        TrustedCas cas = TrustedCas.SYSTEM.with(pem);
        Heard heard = new Heard();
        try (ServerSocket server = listen(certificates)) {
            HttpTransport transport =
                    new HttpTransport(new SystemTime(), Map.of(), HttpLimits.DEFAULT, () -> cas);
            String address = "https://127.0.0.1:" + server.getLocalPort() + "/v1";
            try (LlmAdapter llm =
                    new RetryingLlm(
                            new OpenAiChatAdapter(
                                    new ProviderEndpoint("p", address, "k", "K", Map.of()),
                                    new ModelInfo("p", "m", 0, 0),
                                    transport),
                            FakeTime.auto(),
                            4,
                            () -> 0)) {
                LlmRequest request =
                        new LlmRequest(List.of(new Message.User("x")), List.of(), true, 0, true);
                assertEquals(
                        "hi", llm.complete(request, heard, new Cancellation()).message().text());
            }
        }

        assertEquals(List.of("1 200 provider_unavailable false"), heard.retries);
        assertEquals(2, connections.get());
        assertEquals(2, requests.get());
    }

    private ServerSocket listen(TlsCertificates certificates) throws IOException {
        SSLServerSocket server =
                (SSLServerSocket)
                        TlsCertificates.sockets(certificates.of("127.0.0.1"))
                                .createServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
        SSLParameters parameters = server.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        server.setSSLParameters(parameters);
        Thread thread = new Thread(() -> acceptAll(server), "h2 server");
        thread.setDaemon(true);
        thread.start();
        return server;
    }

    private void acceptAll(ServerSocket server) {
        try {
            while (true) {
                try (Socket socket = server.accept()) {
                    serve(socket, connections.incrementAndGet() > 1);
                }
            }
        } catch (IOException e) {
            return; // closed: the test is over
        }
    }

    /** One request: the first connection goes away instead of answering. */
    private void serve(Socket socket, boolean answer) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        in.readNBytes(PREFACE);
        frame(out, SETTINGS, 0, 0, new byte[0]);
        int stream = request(in, out);
        requests.incrementAndGet();
        if (answer) {
            String events =
                    "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},"
                            + "\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
            frame(out, HEADERS, END_HEADERS, stream, new byte[] {STATUS_200});
            frame(out, DATA, END_STREAM, stream, events.getBytes(StandardCharsets.UTF_8));
        } else {
            frame(out, GOAWAY, 0, 0, new byte[8]); // nothing up to stream 0 was worked on
        }
        in.readAllBytes(); // until the client hangs up, so that nothing sent is lost
    }

    /** Reads frames until a request is whole; its stream. */
    private static int request(DataInputStream in, DataOutputStream out) throws IOException {
        while (true) {
            int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int stream = in.readInt();
            in.readNBytes(length);
            if (type == SETTINGS && flags != ACK) {
                frame(out, SETTINGS, ACK, 0, new byte[0]);
            }
            if (stream > 0 && (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0) {
                return stream;
            }
        }
    }

    private static void frame(DataOutputStream out, int type, int flags, int stream, byte[] payload)
            throws IOException {
        out.writeShort(payload.length >> 8);
        out.writeByte(payload.length & 0xFF);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(stream);
        out.write(payload);
        out.flush();
    }
}
