package dev.agentloop.mcp.oauth;

/**
 * Where logins happen and what is kept of them.
 *
 * @param secrets learns what must not be shown
 */
public record LoginPlace(TokenStore tokens, Browser browser, Learning secrets) {
    /** Takes the name and the value of a secret. */
    public interface Learning {
        void add(String name, String value);
    }
}
