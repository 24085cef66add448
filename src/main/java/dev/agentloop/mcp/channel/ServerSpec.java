package dev.agentloop.mcp.channel;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A server as the user configured it.
 *
 * @param name of the user, in front of the names of its tools
 * @param tools globs for names of tools that are offered; none: all
 * @param callTimeout longest time for one call
 */
public record ServerSpec(String name, Way way, List<String> tools, Duration callTimeout) {
    public ServerSpec {
        tools = List.copyOf(tools);
    }

    /** How it is reached. */
    public sealed interface Way {}

    /**
     * A program that is started and talked to on its standard streams.
     *
     * @param argv program and arguments, taken literally
     * @param environment the only variables it gets besides harmless ones
     */
    public record Program(List<String> argv, Map<String, String> environment) implements Way {
        public Program {
            argv = List.copyOf(argv);
            environment = Map.copyOf(environment);
        }
    }

    /**
     * A server of the web.
     *
     * @param headers sent with each request
     * @param token bearer token; empty: none, or one by OAuth
     * @param client who we are where tokens are handed out
     * @param anywhere whether it may be at an address that is not public
     */
    public record Remote(
            URI url,
            Map<String, String> headers,
            Optional<String> token,
            Client client,
            boolean anywhere)
            implements Way {
        public Remote {
            headers = Map.copyOf(headers);
        }
    }

    /**
     * Who the user is known as to an authorization server; both are empty where we register.
     *
     * @param id also the address of a document about us
     * @param secret empty for a public client
     */
    public record Client(String id, String secret) {
        public static final Client UNKNOWN = new Client("", "");
    }
}
