package dev.agentloop.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.mcp.channel.McpException;
import dev.agentloop.mcp.oauth.Browser;
import dev.agentloop.mcp.oauth.LoginPlace;
import dev.agentloop.mcp.oauth.LoopbackRedirect;
import dev.agentloop.mcp.oauth.OAuthHttp;
import dev.agentloop.mcp.oauth.TokenStore;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.testing.ToolFixture;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import okhttp3.HttpUrl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Logins: a server that wants a token, and the authorization server that it names. */
@Timeout(60)
class OAuthTest {
    @TempDir Path folder;
    private final List<String> opened = new ArrayList<>();
    private final Map<String, String> secrets = new HashMap<>();
    private final Map<String, String> forms = new HashMap<>();
    private String valid = "";
    private String resource = "";
    private String authorizationServer = "";
    private FakeSite site = new FakeSite(_ -> false);

    @BeforeEach
    void begin() {
        site.close();
        site = new FakeSite(this::answer);
        resource = site.url().toString();
        authorizationServer = site.origin();
    }

    /** Both servers in one. */
    private boolean answer(FakeSite.Asked asked) throws IOException {
        String path = asked.exchange().getRequestURI().getPath();
        String json = "application/json";
        switch (path) {
            case "/.well-known/oauth-protected-resource/mcp" ->
                    asked.answer(
                            200,
                            json,
                            "{\"resource\":\"%s\",\"authorization_servers\":[\"%s\"],\"scopes_supported\":[\"read\",\"write\"]}"
                                    .formatted(resource, authorizationServer));
            case "/.well-known/oauth-authorization-server" ->
                    asked.answer(
                            200,
                            json,
                            """
                            {"issuer":"%1$s","authorization_endpoint":"%1$s/authorize",
                             "token_endpoint":"%1$s/token","registration_endpoint":"%1$s/register",
                             "code_challenge_methods_supported":["S256"]}\
                            """
                                    .formatted(site.origin()));
            case "/register" -> asked.answer(201, json, "{\"client_id\":\"client-1\"}");
            case "/authorize" -> authorize(asked);
            case "/token" -> token(asked);
            default -> {
                boolean known = asked.header("Authorization").equals("Bearer " + valid);
                if (!known) {
                    asked.header("WWW-Authenticate", "Bearer scope=\"read\"");
                    asked.answer(401, "", "");
                }
                return !known;
            }
        }
        return true;
    }

    private void authorize(FakeSite.Asked asked) throws IOException {
        Map<String, String> query = fields(asked.exchange().getRequestURI().getRawQuery());
        query.forEach((name, value) -> forms.put("authorize." + name, value));
        asked.header(
                "Location", query.get("redirect_uri") + "?code=code-1&state=" + query.get("state"));
        asked.answer(302, "", "");
    }

    private void token(FakeSite.Asked asked) throws IOException {
        Map<String, String> form = fields(asked.body());
        form.forEach((name, value) -> forms.put("token." + name, value));
        valid = form.get("grant_type").equals("refresh_token") ? "token-2" : "token-1";
        asked.answer(
                200,
                "application/json",
                "{\"access_token\":\"%s\",\"refresh_token\":\"refresh-1\"}".formatted(valid));
    }

    private static Map<String, String> fields(String text) {
        Map<String, String> fields = new HashMap<>();
        for (String pair : text.split("&")) {
            int equals = pair.indexOf('=');
            fields.put(
                    pair.substring(0, equals),
                    URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return fields;
    }

    /** A person who agrees to everything at once. */
    private Browser browser() {
        return new Browser() {
            @Override
            public boolean isThere() {
                return true;
            }

            @Override
            public void open(String url) {
                opened.add(url);
                HttpClient.newBuilder()
                        .followRedirects(HttpClient.Redirect.ALWAYS)
                        .build()
                        .sendAsync(
                                HttpRequest.newBuilder(URI.create(url)).build(),
                                HttpResponse.BodyHandlers.ofString());
            }
        };
    }

    private void start(Browser browser) throws McpException {
        ProcessRunner processes = new ProcessRunner(Map.of(), List.of());
        LoginPlace place = new LoginPlace(new TokenStore(folder), browser, secrets::put);
        ServerSurroundings around =
                new ServerSurroundings(
                        processes, folder, "1.0", true, FakeSite.network(), place, false);
        try (McpServer server = new McpServer(site.spec(Map.of(), Optional.empty()), around)) {
            server.start(Duration.ofSeconds(20), new Cancellation());
            assertEquals(1, server.digests().size());
        }
    }

    private String failure(Browser browser) {
        return assertThrows(McpException.class, () -> start(browser)).problem();
    }

    @Test
    @DisplayName(
            "a login by code and PKCE brings a token that later runs use without anybody there")
    void login() throws Exception {
        start(browser());
        assertEquals(1, opened.size());
        assertEquals("code-1", forms.get("token.code"));
        assertEquals(site.url().toString(), forms.get("authorize.resource"));
        assertEquals(site.url().toString(), forms.get("token.resource"));
        assertEquals("read", forms.get("authorize.scope"));
        byte[] digest =
                MessageDigest.getInstance("SHA-256")
                        .digest(
                                forms.get("token.code_verifier")
                                        .getBytes(StandardCharsets.US_ASCII));
        assertEquals(
                Base64.getUrlEncoder().withoutPadding().encodeToString(digest),
                forms.get("authorize.code_challenge"));
        assertEquals("token-1", secrets.get("MCP_TOKEN"));
        Path tokens = folder.resolve("mcp-tokens.json");
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(tokens)));

        start(Browser.NONE);
        assertEquals(1, opened.size());
    }

    @Test
    @DisplayName("a token that has run out is renewed by the refresh token, without a person")
    void refreshed() throws Exception {
        start(browser());
        valid = "none";
        start(Browser.NONE);
        assertEquals("refresh-1", forms.get("token.refresh_token"));
        assertEquals("token-2", valid);
        assertEquals(1, opened.size());
    }

    @Test
    @DisplayName("a token that another run has renewed meanwhile is used, not renewed once more")
    void renewedElsewhere() throws Exception {
        start(browser());
        ProcessRunner processes = new ProcessRunner(Map.of(), List.of());
        LoginPlace place = new LoginPlace(new TokenStore(folder), Browser.NONE, secrets::put);
        ServerSurroundings around =
                new ServerSurroundings(
                        processes, folder, "1.0", true, FakeSite.network(), place, false);
        try (McpServer server = new McpServer(site.spec(Map.of(), Optional.empty()), around)) {
            server.start(Duration.ofSeconds(20), new Cancellation());
            valid = "none";
            start(Browser.NONE); // the other run
            forms.clear();
            ToolFixture tools = ToolFixture.with(folder, server.tools());
            assertEquals("echoed", tools.call("mcp__fake__echo", "text", "x").text());
            assertEquals(Map.of(), forms);
        }
    }

    @Test
    @Tag("D79")
    @DisplayName("nothing is sent to an authorization server in the clear, except on this machine")
    void inTheClear() {
        OAuthHttp http = new OAuthHttp(FakeSite.network(), HttpUrl.get(site.origin()), true);
        for (String url : List.of("http://93.184.216.34/token", "http://93.184.216.34:8080/")) {
            McpException refused =
                    assertThrows(
                            McpException.class,
                            () -> http.postForm(HttpUrl.get(url), Map.of("code", "c"), ""));
            assertTrue(refused.problem().contains("not at an https address"), refused::problem);
        }
    }

    @Test
    @Tag("D79")
    @DisplayName("a visitor of the login's port is read for 8 KB, and not for long")
    void visitors() throws Exception {
        try (LoopbackRedirect back = new LoopbackRedirect()) {
            int port = HttpUrl.get(back.url()).port();
            var came =
                    CompletableFuture.supplyAsync(() -> {
                        try {
                            return back.await("s-1", Duration.ofSeconds(20), new Cancellation());
                        } catch (McpException e) {
                            throw new IllegalStateException(e.problem());
                        }
                    });
            try (Socket talker = new Socket("127.0.0.1", port)) {
                byte[] much = "x".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
                assertThrows(
                        IOException.class,
                        () -> {
                            for (int i = 0; i < 100; i++) {
                                talker.getOutputStream().write(much);
                            }
                        });
            }
            try (Socket silent = new Socket("127.0.0.1", port)) {
                silent.getOutputStream().write('G');
                URI url = URI.create(back.url() + "?state=s-1&code=c");
                HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(url).build(),
                                HttpResponse.BodyHandlers.ofString());
            }
            assertEquals("c", came.get().queryParameter("code"));
        }
    }

    @Test
    @DisplayName("where nobody can log in, the failure says how somebody could")
    void nobodyThere() {
        assertTrue(failure(Browser.NONE).contains("agent mcp probe"));
    }

    @Test
    @Tag("D79")
    @DisplayName("metadata about another resource is refused, nothing is opened")
    void otherResource() {
        resource = "https://example.com/mcp";
        assertTrue(failure(browser()).contains("about another resource"));
        assertEquals(List.of(), opened);
    }

    @Test
    @Tag("D79")
    @DisplayName("metadata that points into a private net is not followed")
    void privateAddress() {
        authorizationServer = "http://10.0.0.1:8080";
        assertTrue(failure(browser()).contains("no public address"));
        assertEquals(List.of(), opened);
    }

    @Test
    @Tag("D79")
    @DisplayName("what a project's server names must be public, though it is the same host")
    void ofAProject() {
        HttpUrl url = HttpUrl.get(site.url().toString());
        OAuthHttp http = new OAuthHttp(FakeSite.network(), url, false);
        McpException refused = assertThrows(McpException.class, () -> http.document(url));
        assertTrue(refused.problem().contains("no public address"), refused::problem);
        assertTrue(site.asked().isEmpty());
    }

    @Test
    @DisplayName("an authorization server that calls itself something else is refused")
    void otherIssuer() {
        authorizationServer = site.origin().replace("127.0.0.1", "localhost");
        assertTrue(failure(browser()).contains("calls itself"));
    }
}
