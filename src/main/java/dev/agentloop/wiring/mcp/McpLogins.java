package dev.agentloop.wiring.mcp;

import dev.agentloop.mcp.oauth.Browser;
import dev.agentloop.mcp.oauth.LoginPlace;
import dev.agentloop.mcp.oauth.TokenStore;
import dev.agentloop.secret.Secrets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Logins to MCP servers.
 *
 * @param folder of the user's state, where tokens are kept
 * @param page shows a page to a person; empty where nobody is there to log in
 */
public record McpLogins(Path folder, Optional<Page> page) {
    /** Shows a page to a person. */
    public interface Page {
        void show(String url) throws IOException;
    }

    LoginPlace place(Secrets secrets) {
        Browser browser = page.isPresent() ? browser(page.get()) : Browser.NONE;
        return new LoginPlace(new TokenStore(folder), browser, secrets::add);
    }

    private static Browser browser(Page page) {
        return new Browser() {
            @Override
            public boolean isThere() {
                return true;
            }

            @Override
            public void open(String url) throws IOException {
                page.show(url);
            }
        };
    }
}
