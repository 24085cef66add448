package dev.agentloop.mcp.oauth;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.mcp.channel.McpException;
import dev.agentloop.storage.PrivateFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The tokens of logins, by the address of the server; one file that only its owner may read. */
public final class TokenStore {
    private static final Object ONE_BY_ONE = new Object();

    private final PrivateFile file;

    /**
     * @param folder of the user's state; need not exist
     */
    public TokenStore(Path folder) {
        this.file = new PrivateFile(folder, "mcp-tokens.json");
    }

    /**
     * What a login has brought.
     *
     * @param refresh empty if there is no refresh token
     * @param endpoint where it is renewed
     */
    record Login(
            String token,
            String refresh,
            String scope,
            String resource,
            String endpoint,
            OAuthIdentity identity) {}

    Optional<Login> find(String server) throws McpException {
        return login(new JsonValue(load().get(server)));
    }

    private static Optional<Login> login(JsonValue login) {
        return login.at("access_token").text().isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Login(
                                login.at("access_token").text(),
                                login.at("refresh_token").text(),
                                login.at("scope").text(),
                                login.at("resource").text(),
                                login.at("token_endpoint").text(),
                                new OAuthIdentity(
                                        login.at("client_id").text(),
                                        login.at("client_secret").text(),
                                        login.at("auth_method").text())));
    }

    /** What takes the login that is kept now, and gives the one to keep; empty: as it is. */
    interface Renewal {
        Optional<Login> of(Optional<Login> now) throws McpException;
    }

    void keep(String server, Login login) throws McpException {
        renew(server, _ -> Optional.of(login));
    }

    /** Replaces a login; no other run of this program does so at the same time. */
    void renew(String server, Renewal renewal) throws McpException {
        synchronized (ONE_BY_ONE) { // a lock of the file is for the whole program
            try {
                file.change(() -> {
                    Map<String, @Nullable Object> all = parsed(file.read());
                    Optional<Login> next = renewed(renewal, login(new JsonValue(all.get(server))));
                    next.ifPresent(login -> all.put(server, fields(login)));
                    return Json.text(new JsonValue(all)::writeTo) + "\n";
                });
            } catch (Refused e) {
                throw new McpException(String.valueOf(e.getMessage()));
            } catch (IOException e) {
                throw new McpException("its token cannot be kept: " + e.getMessage());
            }
        }
    }

    /** No trouble with the file, but with the renewal. */
    private static final class Refused extends IOException {
        private static final long serialVersionUID = 1L;

        Refused(String message) {
            super(message);
        }
    }

    private static Optional<Login> renewed(Renewal renewal, Optional<Login> now) throws Refused {
        try {
            return renewal.of(now);
        } catch (McpException e) {
            throw new Refused(e.problem());
        }
    }

    private static Map<String, Object> fields(Login login) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("access_token", login.token());
        fields.put("refresh_token", login.refresh());
        fields.put("scope", login.scope());
        fields.put("resource", login.resource());
        fields.put("token_endpoint", login.endpoint());
        fields.put("client_id", login.identity().id());
        fields.put("client_secret", login.identity().secret());
        fields.put("auth_method", login.identity().method());
        return fields;
    }

    private Map<String, @Nullable Object> load() throws McpException {
        try {
            return parsed(file.read());
        } catch (IOException e) {
            throw new McpException("the tokens cannot be read: " + e.getMessage());
        }
    }

    private Map<String, @Nullable Object> parsed(String text) throws IOException {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        try {
            JsonValue value = text.isEmpty() ? new JsonValue(null) : Json.parse(text);
            value.keys().forEach(key -> all.put(key, value.at(key).raw()));
            return all;
        } catch (JsonException e) {
            throw new IOException(file.path() + " is damaged; move it away", e);
        }
    }
}
