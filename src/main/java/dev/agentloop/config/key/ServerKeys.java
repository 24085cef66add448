package dev.agentloop.config.key;

import static dev.agentloop.config.key.Key.Project.OWN_ENTRY;
import static dev.agentloop.config.key.KeyForms.key;
import static dev.agentloop.config.key.KeyForms.text;

import dev.agentloop.config.key.ValueType.Flag;
import dev.agentloop.config.key.ValueType.Form;
import dev.agentloop.config.key.ValueType.Span;
import dev.agentloop.config.key.ValueType.Texts;
import java.time.Duration;
import java.util.List;

/** The part of the table that is about MCP servers. */
final class ServerKeys {
    private static final String AT = "mcp_servers.*.";
    private static final Duration SECOND = Duration.ofSeconds(1);

    private ServerKeys() {}

    static void addTo(List<Key> keys) {
        keys.add(own(text(AT + "command", Form.ANY, "Program that is the server.")));
        keys.add(own(key(AT + "args", new Texts(Form.ANY), null, "Its arguments.")));
        keys.add(
                own(
                        text(
                                AT + "env.*",
                                Form.ANY,
                                "Variable for the server; ${NAME} is one of yours.")));
        addRemote(keys);
        addLimits(keys);
    }

    private static void addRemote(List<Key> keys) {
        keys.add(own(text(AT + "url", Form.URL, "Address of the server, in place of a program.")));
        keys.add(
                own(
                        text(
                                AT + "headers.*",
                                Form.ANY,
                                "Header of each request; ${NAME} is a variable of yours.")));
        keys.add(
                own(
                        text(
                                AT + "token_env",
                                Form.VARIABLE,
                                "Variable with the token that the server wants.")));
        keys.add(
                own(
                        text(
                                AT + "client_id",
                                Form.ANY,
                                "Who you are to its authorization server; unset: registered.")));
        keys.add(
                own(
                        text(
                                AT + "client_secret_env",
                                Form.VARIABLE,
                                "Variable with the secret that goes with client_id.")));
    }

    private static void addLimits(List<Key> keys) {
        keys.add(
                own(
                        key(
                                AT + "tools",
                                new Texts(Form.ANY),
                                null,
                                "Tools that are offered, e.g. read_*; unset: all.")));
        keys.add(own(span("timeout", Duration.ofMinutes(10), "Longest call; unset: 60s.")));
        keys.add(
                own(
                        span(
                                "start_timeout",
                                Duration.ofMinutes(2),
                                "Longest time until the server is ready; unset: 10s.")));
        keys.add(own(key(AT + "enabled", new Flag(), null, "false: the server is not started.")));
    }

    private static Key own(Key key) {
        return key.project(OWN_ENTRY);
    }

    private static Key span(String name, Duration max, String meaning) {
        return key(AT + name, new Span(SECOND, max, false), null, meaning);
    }
}
