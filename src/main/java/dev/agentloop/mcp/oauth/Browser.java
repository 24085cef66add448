package dev.agentloop.mcp.oauth;

import java.io.IOException;

/** Where a person logs in. */
public interface Browser {
    /** Nobody is there to log in. */
    Browser NONE =
            new Browser() {
                @Override
                public boolean isThere() {
                    return false;
                }

                @Override
                public void open(String url) {
                    throw new IllegalStateException("nobody is there");
                }
            };

    boolean isThere();

    /** Shows a page, or says where it is; does not wait for the person. */
    void open(String url) throws IOException;
}
