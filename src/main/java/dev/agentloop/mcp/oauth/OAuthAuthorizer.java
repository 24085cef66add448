package dev.agentloop.mcp.oauth;

import dev.agentloop.control.Cancellation;
import dev.agentloop.json.JsonValue;
import dev.agentloop.mcp.channel.Authorizer;
import dev.agentloop.mcp.channel.CleanText;
import dev.agentloop.mcp.channel.McpException;
import dev.agentloop.mcp.channel.ServerSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * Tokens by OAuth 2.1: the authorization code flow with PKCE, in a browser of the person, and
 * refresh tokens after that. A token is for one server and goes to no other.
 */
public final class OAuthAuthorizer implements Authorizer {
    private static final Duration PATIENCE = Duration.ofMinutes(5); // for a person to log in
    private static final int RANDOM_BYTES = 32;

    private final HttpUrl server;
    private final ServerSpec.Client client;
    private final OAuthHttp http;
    private final LoginPlace place;
    private final SecureRandom random = new SecureRandom();
    private TokenStore.@Nullable Login login;
    private boolean looked;

    public OAuthAuthorizer(
            HttpUrl server, ServerSpec.Client client, OAuthHttp http, LoginPlace place) {
        this.server = server;
        this.client = client;
        this.http = http;
        this.place = place;
    }

    @Override
    public synchronized Optional<String> token() throws McpException {
        if (!looked) {
            looked = true;
            learn(place.tokens().find(server.toString()).orElse(null));
        }
        return login == null ? Optional.empty() : Optional.of(login.token());
    }

    @Override
    public synchronized boolean renew(Challenge challenge, Cancellation cancellation)
            throws McpException {
        Optional<String> now = token();
        if (now.isPresent() && !now.get().equals(challenge.used())) {
            return true; // somebody else has just done it
        }
        boolean wider = challenge.parameter("error").equals("insufficient_scope");
        if (challenge.status() == 403 && !wider) {
            return false;
        }
        if (!wider && login != null && isRenewed(login)) {
            return true;
        }
        if (!place.browser().isThere()) {
            throw new McpException(
                    "somebody has to log in: agent mcp probe, with the server's name, at a terminal");
        }
        logIn(challenge, cancellation);
        return true;
    }

    private void learn(TokenStore.@Nullable Login found) {
        login = found;
        if (found != null) {
            place.secrets().add("MCP_TOKEN", found.token());
            place.secrets().add("MCP_REFRESH_TOKEN", found.refresh());
            place.secrets().add("MCP_CLIENT_SECRET", found.identity().secret());
        }
    }

    /** A refresh token may be good for one time, and another run may have used it up already. */
    private boolean isRenewed(TokenStore.Login refused) throws McpException {
        place.tokens()
                .renew(
                        server.toString(),
                        kept -> {
                            TokenStore.Login last = kept.orElse(refused);
                            if (!last.token().equals(refused.token())) {
                                learn(last);
                                return Optional.empty();
                            }
                            Optional<TokenStore.Login> next = refreshed(last);
                            next.ifPresent(this::learn);
                            return next;
                        });
        return login != null && !login.token().equals(refused.token());
    }

    /** Empty if there is no way but to log in. */
    private Optional<TokenStore.Login> refreshed(TokenStore.Login old) throws McpException {
        HttpUrl endpoint = HttpUrl.parse(old.endpoint());
        if (endpoint == null || old.refresh().isEmpty()) {
            return Optional.empty();
        }
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "refresh_token");
        form.put("refresh_token", old.refresh());
        form.put("resource", old.resource());
        String authorization = old.identity().sign(form);
        OAuthHttp.Answer answer = http.postForm(endpoint, form, authorization);
        if (!answer.isGood() || answer.body().at("access_token").text().isEmpty()) {
            return Optional.empty(); // it was taken back, or is too old
        }
        return Optional.of(login(answer.body(), old));
    }

    private void logIn(Challenge challenge, Cancellation cancellation) throws McpException {
        OAuthServer asked = OAuthServer.find(http, server, challenge);
        try (LoopbackRedirect back = new LoopbackRedirect()) {
            OAuthIdentity identity = OAuthIdentity.of(http, asked, client, back.url());
            String verifier = random();
            String state = random();
            String scope = scope(challenge, asked);
            HttpUrl page = page(asked, new Request(identity, back.url(), scope, state, verifier));
            OAuthHttp.check(page); // before a person types a password there
            place.browser().open(page.toString());
            HttpUrl came = back.await(state, PATIENCE, cancellation);
            String code = code(came, asked);
            Map<String, String> form = new LinkedHashMap<>();
            form.put("grant_type", "authorization_code");
            form.put("code", code);
            form.put("redirect_uri", back.url());
            form.put("code_verifier", verifier);
            form.put("resource", asked.resource());
            String authorization = identity.sign(form);
            OAuthHttp.Answer answer = http.postForm(asked.token(), form, authorization);
            if (!answer.isGood() || answer.body().at("access_token").text().isEmpty()) {
                throw new McpException("the login brought no token: " + answer.trouble());
            }
            String endpoint = asked.token().toString();
            TokenStore.Login now =
                    login(
                            answer.body(),
                            new TokenStore.Login(
                                    "", "", scope, asked.resource(), endpoint, identity));
            learn(now); // first: it is good for this run even if it cannot be kept
            place.tokens().keep(server.toString(), now);
        } catch (IOException e) {
            throw new McpException("no browser for the login: " + e.getMessage());
        }
    }

    /** What is asked of the authorization server, and what only its answer will show. */
    private record Request(
            OAuthIdentity identity, String redirect, String scope, String state, String verifier) {}

    private static HttpUrl page(OAuthServer asked, Request request) {
        HttpUrl.Builder page =
                asked.authorize()
                        .newBuilder()
                        .addQueryParameter("response_type", "code")
                        .addQueryParameter("client_id", request.identity().id())
                        .addQueryParameter("redirect_uri", request.redirect())
                        .addQueryParameter("code_challenge", challengeOf(request.verifier()))
                        .addQueryParameter("code_challenge_method", "S256")
                        .addQueryParameter("state", request.state())
                        .addQueryParameter("resource", asked.resource());
        if (!request.scope().isEmpty()) {
            page.addQueryParameter("scope", request.scope());
        }
        return page.build();
    }

    private static String code(HttpUrl came, OAuthServer asked) throws McpException {
        String issuer = came.queryParameter("iss");
        if (issuer != null && !issuer.equals(asked.issuer())) {
            throw new McpException("the login was answered by another server");
        }
        String code = came.queryParameter("code");
        if (code == null) {
            String error = came.queryParameter("error");
            throw new McpException(
                    "the login failed: " + CleanText.oneLine(error == null ? "no code" : error));
        }
        return code;
    }

    /** What the refusal asks for, with what was there before; else all that the resource has. */
    private String scope(Challenge challenge, OAuthServer asked) {
        String named = challenge.parameter("scope");
        if (named.isEmpty()) {
            return String.join(" ", asked.scopes());
        }
        Set<String> scopes = new LinkedHashSet<>();
        if (login != null && !login.scope().isEmpty()) {
            scopes.addAll(Arrays.asList(login.scope().split(" ")));
        }
        scopes.addAll(Arrays.asList(named.split(" ")));
        return String.join(" ", scopes);
    }

    private static TokenStore.Login login(JsonValue answer, TokenStore.Login before) {
        return new TokenStore.Login(
                answer.at("access_token").text(),
                answer.at("refresh_token").textOr(before.refresh()),
                answer.at("scope").textOr(before.scope()),
                before.resource(),
                before.endpoint(),
                before.identity());
    }

    private String random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String challengeOf(String verifier) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
