package dev.agentloop.mcp.oauth;

import dev.agentloop.json.JsonValue;
import dev.agentloop.mcp.channel.McpException;
import dev.agentloop.mcp.channel.ServerSpec;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who we are to an authorization server.
 *
 * @param secret empty for a public client
 * @param method how that is said: none, client_secret_basic or client_secret_post
 */
record OAuthIdentity(String id, String secret, String method) {
    private static final String NONE = "none";
    private static final String BASIC = "client_secret_basic";
    private static final String POST = "client_secret_post";

    /** The one that the user has been given, or a new one. */
    static OAuthIdentity of(
            OAuthHttp http, OAuthServer server, ServerSpec.Client given, String redirect)
            throws McpException {
        if (!given.id().isEmpty()) {
            return new OAuthIdentity(
                    given.id(), given.secret(), method(server.methods(), given.secret()));
        }
        if (server.registration() == null) {
            throw new McpException(
                    "its authorization server registers nobody; name a client_id that it knows");
        }
        Map<String, Object> about = new LinkedHashMap<>();
        about.put("client_name", "agent");
        about.put("redirect_uris", List.of(redirect));
        about.put("grant_types", List.of("authorization_code", "refresh_token"));
        about.put("response_types", List.of("code"));
        about.put("token_endpoint_auth_method", wanted(server.methods()));
        OAuthHttp.Answer answer = http.postJson(server.registration(), about);
        JsonValue client = answer.body();
        if (!answer.isGood() || client.at("client_id").text().isEmpty()) {
            throw new McpException(
                    "its authorization server does not register us: " + answer.trouble());
        }
        String secret = client.at("client_secret").text();
        String method = client.at("token_endpoint_auth_method").text();
        return new OAuthIdentity(
                client.at("client_id").text(),
                secret,
                method.isEmpty() ? method(server.methods(), secret) : method);
    }

    private static String wanted(List<String> methods) {
        for (String method : List.of(NONE, BASIC, POST)) {
            if (methods.contains(method)) {
                return method;
            }
        }
        return NONE;
    }

    private static String method(List<String> methods, String secret) {
        if (secret.isEmpty()) {
            return NONE;
        }
        return methods.contains(POST) && !methods.contains(BASIC) ? POST : BASIC;
    }

    /** Adds what the form must say, and gives the header that goes with it; empty for none. */
    String sign(Map<String, String> form) {
        if (method.equals(BASIC) && !secret.isEmpty()) {
            String pair = encoded(id) + ":" + encoded(secret);
            byte[] bytes = pair.getBytes(StandardCharsets.UTF_8);
            return "Basic " + Base64.getEncoder().encodeToString(bytes);
        }
        form.put("client_id", id);
        if (method.equals(POST)) {
            form.put("client_secret", secret);
        }
        return "";
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
