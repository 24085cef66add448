package dev.agentloop.mcp.channel;

import dev.agentloop.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import okhttp3.Request;

/** What a server of the web wants to be told with each request, and how it all began. */
final class HttpSession {
    private static final int MAX_ID = 1_000; // characters; it goes into each request

    private final List<JsonValue> greetings = new ArrayList<>();
    private String id = "";
    private String version = "";

    synchronized void remember(JsonValue greeting) {
        greetings.add(greeting);
    }

    synchronized List<JsonValue> greetings() {
        return List.copyOf(greetings);
    }

    synchronized void agreed(String agreed) {
        version = agreed;
    }

    /** An id of anything but visible ASCII would be more than one header. */
    synchronized void began(String given) {
        boolean sound =
                given.length() <= MAX_ID && given.chars().allMatch(c -> c > ' ' && c < 0x7f);
        if (sound && !given.isEmpty()) {
            id = given;
        }
    }

    synchronized String id() {
        return id;
    }

    synchronized void forget() {
        id = "";
    }

    synchronized void head(Request.Builder request) {
        if (!id.isEmpty()) {
            request.header("Mcp-Session-Id", id);
        }
        if (!version.isEmpty()) {
            request.header("MCP-Protocol-Version", version);
        }
    }
}
