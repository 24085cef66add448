package dev.agentloop.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cause;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.RawServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where web_fetch does not go, and what servers cannot do to it. */
@Timeout(60)
final class WebFetchSafetyTest {
    private static final String TEXT = "Content-Type: text/plain\r\n";

    @TempDir Path folder;

    @ParameterizedTest
    @Tag("D61")
    @Tag("P13")
    @DisplayName("no spelling of an address that is not public is fetched")
    @ValueSource(
            strings = {
                "127.0.0.1",
                "localhost",
                "[::1]",
                "0.0.0.0",
                "[::]",
                "[::ffff:127.0.0.1]",
                "10.1.2.3",
                "172.31.0.1",
                "192.168.1.1",
                "100.100.100.200",
                "169.254.169.254",
                "168.63.129.16",
                "[fe80::1]",
                "[fc00::1]",
                "[fd00:ec2::254]",
                "[64:ff9b::7f00:1]",
                "[2002:7f00:1::]",
                "224.0.0.1",
                "[ff02::1]",
                "255.255.255.255"
            })
    void notPublic(String host) {
        try (RawServer server = RawServer.start(RawServer.answer(200, TEXT, "secret"))) {
            WebFixture web = new WebFixture(folder, server);

            ToolResult result = web.fetch("http://" + host + "/latest/meta-data/");

            assertEquals(ToolResult.Kind.DENIED, result.kind(), result.text());
            assertTrue(result.text().contains("tools.web_private_hosts"), result.text());
            assertEquals(List.of(), server.requests());
            assertEquals(List.of(), web.connectedTo);
        }
    }

    @ParameterizedTest
    @Tag("D61")
    @DisplayName("a spelling that systems read differently is no way in either")
    @ValueSource(
            strings = {
                "0x7f.1",
                "127.1",
                "2130706433",
                "0177.0.0.1",
                "012.1.2.3",
                "1.2.3.4.5",
                "x.08"
            })
    void oddSpelling(String host) {
        try (RawServer server = RawServer.start(RawServer.answer(200, TEXT, "secret"))) {
            WebFixture web = new WebFixture(folder, server);

            assertTrue(web.fetch("http://" + host + "/").isError());
            assertEquals(List.of(), web.connectedTo);
        }
    }

    @ParameterizedTest
    @Tag("D62")
    @DisplayName("a name is judged by all its addresses")
    @ValueSource(strings = {"127.0.0.1", "93.184.216.34,10.0.0.1", "2606:2800:220:1::1,::1"})
    void namesOfPrivateAddresses(String addresses) {
        try (RawServer server = RawServer.start(RawServer.answer(200, TEXT, "secret"))) {
            WebFixture web = new WebFixture(folder, server).name("innocent.example", addresses);

            assertEquals(ToolResult.Kind.DENIED, web.fetch("http://innocent.example/").kind());
            assertEquals(List.of(), web.connectedTo);
        }
    }

    @Test
    @Tag("D62")
    @DisplayName("rebinding gains nothing, the connection goes to the address that was judged")
    void rebinding() {
        try (RawServer server = RawServer.start(RawServer.answer(200, TEXT, "hello"))) {
            WebFixture web =
                    new WebFixture(folder, server)
                            .name("rebind.example", WebFixture.PUBLIC, "127.0.0.1");

            ToolResult result = web.fetch("http://rebind.example/");

            assertTrue(result.text().contains("hello"), result.text());
            assertEquals(List.of(WebFixture.PUBLIC), web.connectedTo);
            assertEquals(List.of("rebind.example"), web.lookedUp);
        }
    }

    @ParameterizedTest
    @Tag("D63")
    @DisplayName("a redirect to elsewhere is not followed")
    @CsvSource({
        "http://127.0.0.1/, moved to another server",
        "http://other.example/x, moved to another server",
        "//other.example/x, moved to another server",
        "http://site.example:8080/, moved to another server",
        "file:///etc/passwd, no http or https address",
        "gopher://site.example/, no http or https address",
        "http://user:secret@site.example/, user or password",
    })
    void redirectsElsewhere(String location, String told) {
        RawServer.Script away = RawServer.answer(302, "Location: " + location + "\r\n", "");
        try (RawServer server = RawServer.start(away, RawServer.answer(200, TEXT, "secret"))) {
            WebFixture web = new WebFixture(folder, server).name("site.example", WebFixture.PUBLIC);

            ToolResult result = web.fetch("http://site.example/");

            assertTrue(result.text().contains(told), result.text());
            assertFalse(result.text().contains("secret@"), result.text());
            assertEquals(1, server.requests().size());
        }
    }

    @Test
    @Tag("D63")
    @DisplayName("each hop is looked up and judged again")
    void everyHopIsJudged() {
        RawServer.Script on = RawServer.answer(307, "Location: /next\r\n", "");
        try (RawServer server = RawServer.start(on, RawServer.answer(200, TEXT, "secret"))) {
            WebFixture web =
                    new WebFixture(folder, server)
                            .name("site.example", WebFixture.PUBLIC, "192.168.0.1");

            assertEquals(ToolResult.Kind.DENIED, web.fetch("http://site.example/").kind());
            assertEquals(1, server.requests().size());
        }
    }

    @Test
    @Tag("D63")
    @DisplayName("five redirects on one server are followed, a sixth or a circle is not")
    void atMostFiveRedirects() {
        RawServer.Script on = RawServer.answer(302, "Location: /again\r\n", "");
        RawServer.Script end = RawServer.answer(200, TEXT, "the end");
        try (RawServer server = RawServer.start(on, on, on, on, on, end, on)) {
            WebFixture web = new WebFixture(folder, server).name("site.example", WebFixture.PUBLIC);

            ToolResult five = web.fetch("http://site.example/");
            assertTrue(five.text().contains("the end"), five.text());
            assertTrue(five.text().contains("http://site.example/again: HTTP 200"), five.text());

            ToolResult circle = web.fetch("http://site.example/");
            assertTrue(circle.text().contains("more than 5 times"), circle.text());
            assertEquals(12, server.requests().size());
        }
    }

    @Test
    @Tag("D64")
    @DisplayName("of an endless page 5 MB are read, whatever it says of its length")
    void endless() {
        RawServer.Script endless =
                (_, out) -> {
                    out.write(RawServer.head(200, TEXT + "Connection: close\r\n"));
                    byte[] line =
                            "all work and no play\n".repeat(1_000).getBytes(StandardCharsets.UTF_8);
                    while (true) {
                        out.write(line);
                    }
                };
        try (RawServer server = RawServer.start(endless)) {
            WebFixture web = new WebFixture(folder, server).name("site.example", WebFixture.PUBLIC);

            ToolResult result = web.fetch("http://site.example/");

            assertTrue(
                    result.text().contains("5000000 bytes, the rest was not read"), result.text());
            assertTrue(result.text().length() <= 8_000, "" + result.text().length());
        }
    }

    @Test
    @Tag("D64")
    @DisplayName("a gzip bomb is unpacked up to the same bound")
    void gzipBomb() {
        byte[] bomb = zipped(100_000_000);
        RawServer.Script packed =
                (_, out) -> {
                    out.write(
                            RawServer.head(
                                    200,
                                    TEXT
                                            + "Content-Encoding: gzip\r\nContent-Length: "
                                            + bomb.length
                                            + "\r\n"));
                    out.write(bomb);
                    return true;
                };
        try (RawServer server = RawServer.start(packed)) {
            WebFixture web = new WebFixture(folder, server).name("site.example", WebFixture.PUBLIC);

            ToolResult result = web.fetch("http://site.example/");

            assertTrue(
                    result.text().contains("5000000 bytes, the rest was not read"), result.text());
        }
    }

    @Test
    @Tag("D64")
    @DisplayName("a page that drips is given up when the time of the whole fetch is over")
    void slowLoris() {
        RawServer.Script drip =
                (_, out) -> {
                    out.write(RawServer.head(200, TEXT + "Connection: close\r\n"));
                    while (true) {
                        out.write('x');
                        out.flush();
                        RawServer.pause(50);
                    }
                };
        try (RawServer server = RawServer.start(drip)) {
            WebLimits limits = new WebLimits(Duration.ofMillis(800), 5_000_000, 8_000);
            WebFixture web =
                    new WebFixture(folder, server, limits).name("site.example", WebFixture.PUBLIC);

            ToolResult result = web.fetch("http://site.example/");

            assertTrue(result.text().contains("longer than 800 ms"), result.text());
        }
    }

    @ParameterizedTest
    @Tag("D64")
    @DisplayName("what is no text is refused, by its type or by its bytes")
    @CsvSource({
        "image/png, no text",
        "application/zip, no text",
        "application/pdf, no text",
        "application/octet-stream, is binary",
        "text/plain, is binary",
    })
    void binary(String type, String told) {
        RawServer.Script bytes =
                RawServer.answer(200, "Content-Type: " + type + "\r\n", "PK\u0003\u0004\0\0\0");
        try (RawServer server = RawServer.start(bytes)) {
            WebFixture web = new WebFixture(folder, server).name("site.example", WebFixture.PUBLIC);

            ToolResult result = web.fetch("http://site.example/");

            assertTrue(result.isError() && result.text().contains(told), result.text());
        }
    }

    @ParameterizedTest
    @Tag("D61")
    @Tag("D65")
    @DisplayName("an address that is none, or hides another, is refused as an argument")
    @ValueSource(
            strings = {
                "file:///etc/passwd",
                "ftp://site.example/",
                "site.example",
                "http://site.example@evil.example/",
                "http://:pw@site.example/",
                "http://site.example/a b",
                "http://site.example/\\u0000",
                "https://",
                "http://a../"
            })
    void badAddresses(String url) {
        try (RawServer server = RawServer.start(RawServer.answer(200, TEXT, "secret"))) {
            WebFixture web = new WebFixture(folder, server);

            String json = "{\"url\":\"" + url + "\"}";
            ToolResult result = web.tools.callRaw("web_fetch", json);

            assertTrue(result.text().startsWith("Invalid arguments for web_fetch"), result.text());
            assertEquals(List.of(), web.lookedUp);
        }
    }

    @Test
    @Tag("P13")
    @DisplayName("the person's own configuration opens one server, not the port beside it")
    void namedByThePerson() {
        try (RawServer server = RawServer.start(RawServer.answer(200, TEXT, "dev server"))) {
            String here = "127.0.0.1:" + server.port();
            WebFixture web = new WebFixture(folder, server).privateHost(here);

            assertTrue(web.fetch("http://" + here + "/").text().contains("dev server"));
            assertEquals(
                    ToolResult.Kind.DENIED,
                    web.fetch("http://127.0.0.1:" + (server.port() ^ 1) + "/").kind());
        }
    }

    @Test
    @Tag("D61")
    @DisplayName("behind a proxy a name is judged here first; one without an address stays out")
    void behindAProxy() {
        try (RawServer proxy = RawServer.start(RawServer.answer(200, TEXT, "by proxy"))) {
            WebFixture web =
                    new WebFixture(folder, proxy)
                            .name("proxy.corp", "10.0.0.9")
                            .name("site.example", WebFixture.PUBLIC)
                            .name("inside.corp", "10.0.0.1")
                            .privateHost("known.corp");
            web.environment.put("HTTP_PROXY", "http://me:pw@proxy.corp:3128");

            assertTrue(web.fetch("http://site.example/").text().contains("by proxy"));
            assertTrue(proxy.lastRequest().head().startsWith("GET http://site.example/ "));
            assertFalse(proxy.lastRequest().header("Proxy-Authorization").isEmpty());
            assertEquals(ToolResult.Kind.DENIED, web.fetch("http://inside.corp/").kind());
            String unknown = web.fetch("http://unknown.corp/").text();
            assertTrue(unknown.contains("Cannot resolve unknown.corp"), unknown);
            assertTrue(web.fetch("http://known.corp/").text().contains("by proxy"));
            assertEquals(2, proxy.requests().size());
        }
    }

    @Test
    @Tag("E09")
    @DisplayName("a fetch ends with the run")
    void endsWithTheRun() {
        try (RawServer server = RawServer.start(RawServer.silence())) {
            WebFixture web = new WebFixture(folder, server).name("site.example", WebFixture.PUBLIC);
            Thread.ofPlatform()
                    .daemon()
                    .start(() -> {
                        while (server.requests().isEmpty()) {
                            RawServer.pause(10);
                        }
                        web.tools.cancellation.cancel(new Cause.Interrupt("INT"));
                    });

            ToolResult result = web.fetch("http://site.example/");

            assertTrue(result.text().contains("the run is ending"), result.text());
        }
    }

    private static byte[] zipped(int zeros) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        byte[] line = "0".repeat(1_000_000).getBytes(StandardCharsets.UTF_8);
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            for (int i = 0; i < zeros; i += line.length) {
                gzip.write(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }
}
