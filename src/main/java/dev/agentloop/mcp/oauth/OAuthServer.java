package dev.agentloop.mcp.oauth;

import dev.agentloop.json.JsonValue;
import dev.agentloop.mcp.channel.Authorizer;
import dev.agentloop.mcp.channel.CleanText;
import dev.agentloop.mcp.channel.McpException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * Who hands out tokens for a server, and how it is asked: found by RFC 9728 and RFC 8414, or as the
 * version 2025-03-26 of the protocol has it, on the server itself.
 *
 * @param issuer as it calls itself; empty if there was nothing to read
 * @param registration where clients register; null if they cannot
 * @param resource what the token is for
 * @param scopes that the resource says it has
 * @param methods in which clients may say who they are
 */
record OAuthServer(
        String issuer,
        HttpUrl authorize,
        HttpUrl token,
        @Nullable HttpUrl registration,
        String resource,
        List<String> scopes,
        List<String> methods) {
    private static final String RESOURCE = "/.well-known/oauth-protected-resource";
    private static final String SERVER = "/.well-known/oauth-authorization-server";
    private static final String OPENID = "/.well-known/openid-configuration";

    /** Looks for it, from what the refusal says on. */
    static OAuthServer find(OAuthHttp http, HttpUrl server, Authorizer.Challenge challenge)
            throws McpException {
        Optional<JsonValue> resource = resource(http, server, challenge);
        if (resource.isEmpty()) {
            return legacy(http, server);
        }
        checkResource(resource.get(), server);
        String issuer = resource.get().at("authorization_servers").at(0).text();
        HttpUrl at = url(issuer, "authorization server");
        for (HttpUrl place : places(at)) {
            Optional<JsonValue> metadata = http.document(place);
            if (metadata.isPresent()) {
                String named = metadata.get().at("issuer").text();
                if (!trimmed(named).equals(trimmed(issuer))) {
                    throw new McpException(
                            "its authorization server calls itself "
                                    + CleanText.oneLine(named)
                                    + ", not "
                                    + CleanText.oneLine(issuer));
                }
                return of(metadata.get(), resource.get(), server);
            }
        }
        throw new McpException("its authorization server " + at + " does not describe itself");
    }

    private static OAuthServer legacy(OAuthHttp http, HttpUrl server) throws McpException {
        HttpUrl root = root(server);
        JsonValue nothing = new JsonValue(null);
        Optional<JsonValue> metadata = http.document(at(root, SERVER));
        return metadata.isPresent()
                ? of(metadata.get(), nothing, server)
                : new OAuthServer(
                        "",
                        at(root, "/authorize"),
                        at(root, "/token"),
                        at(root, "/register"),
                        server.toString(),
                        List.of(),
                        List.of());
    }

    private static OAuthServer of(JsonValue metadata, JsonValue resource, HttpUrl server)
            throws McpException {
        List<String> challenges = texts(metadata.at("code_challenge_methods_supported"));
        if (!challenges.contains("S256")) {
            throw new McpException("its authorization server does not know PKCE with S256");
        }
        String register = metadata.at("registration_endpoint").text();
        return new OAuthServer(
                metadata.at("issuer").text(),
                url(metadata.at("authorization_endpoint").text(), "authorization endpoint"),
                url(metadata.at("token_endpoint").text(), "token endpoint"),
                register.isEmpty() ? null : url(register, "registration endpoint"),
                resource.at("resource").textOr(server.toString()),
                texts(resource.at("scopes_supported")),
                texts(metadata.at("token_endpoint_auth_methods_supported")));
    }

    private static Optional<JsonValue> resource(
            OAuthHttp http, HttpUrl server, Authorizer.Challenge challenge) throws McpException {
        String named = challenge.parameter("resource_metadata");
        if (!named.isEmpty()) {
            return http.document(url(named, "resource metadata"));
        }
        Optional<JsonValue> own = http.document(at(root(server), RESOURCE + path(server)));
        return own.isPresent() || path(server).isEmpty()
                ? own
                : http.document(at(root(server), RESOURCE));
    }

    /** A token for one server must not be asked for in the name of another. */
    private static void checkResource(JsonValue metadata, HttpUrl server) throws McpException {
        String named = metadata.at("resource").text();
        HttpUrl resource = HttpUrl.parse(named);
        boolean same =
                resource != null
                        && root(resource).equals(root(server))
                        && (server.encodedPath() + "/").startsWith(path(resource) + "/");
        if (!same) {
            throw new McpException(
                    "its metadata is about another resource, " + CleanText.oneLine(named));
        }
    }

    private static List<HttpUrl> places(HttpUrl issuer) {
        String path = path(issuer);
        HttpUrl root = root(issuer);
        List<HttpUrl> places = new ArrayList<>();
        places.add(at(root, SERVER + path));
        places.add(at(root, OPENID + path));
        if (!path.isEmpty()) {
            places.add(at(root, path + OPENID));
        }
        return places;
    }

    private static HttpUrl url(String text, String what) throws McpException {
        HttpUrl url = HttpUrl.parse(text);
        if (url == null) {
            throw new McpException("it names no " + what + " that could be asked");
        }
        return url;
    }

    private static HttpUrl root(HttpUrl url) {
        return at(url, "/");
    }

    private static HttpUrl at(HttpUrl url, String path) {
        return url.newBuilder().encodedPath(path).query(null).fragment(null).build();
    }

    private static String path(HttpUrl url) {
        return trimmed(url.encodedPath());
    }

    private static String trimmed(String text) {
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }

    private static List<String> texts(JsonValue list) {
        return list.items().stream().map(JsonValue::text).filter(text -> !text.isEmpty()).toList();
    }
}
