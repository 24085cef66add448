package dev.agentloop.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks that a conversation only grows: each request begins with the messages of the one before,
 * or the provider's prompt cache is lost. Where a protocol wants one message of the user at a time,
 * the last one may have grown. Marks for the cache may move.
 */
final class GrowingHistory {
    private final Map<String, List<JsonNode>> newest = new HashMap<>();

    /** Empty when all is well; the conversation is known by its first words. */
    List<String> violations(Asked asked) {
        List<JsonNode> now = asked.messages().stream().map(GrowingHistory::withoutMarks).toList();
        boolean instructed =
                !now.isEmpty() && now.getFirst().path("role").asText().equals("system");
        int opening = instructed ? 2 : 1;
        String name = asked.system() + now.subList(0, Math.min(opening, now.size()));
        List<JsonNode> before = newest.put(name, now);
        List<String> violations = new ArrayList<>();
        boolean fresh = now.size() <= opening; // the same words in a new session
        if (before != null && !fresh && !continues(before, now)) {
            violations.add("the history was rewritten:\n before " + before + "\n now " + now);
        }
        return violations;
    }

    /** The next request may begin as it likes. */
    void forget() {
        newest.clear();
    }

    private static boolean continues(List<JsonNode> before, List<JsonNode> now) {
        int last = before.size() - 1;
        return now.size() > last
                && now.subList(0, last).equals(before.subList(0, last))
                && grew(before.get(last), now.get(last));
    }

    private static boolean grew(JsonNode before, JsonNode now) {
        if (before.equals(now)) {
            return true;
        }
        boolean sameUser =
                before.path("role").asText().equals("user")
                        && now.path("role").asText().equals("user");
        JsonNode was = content(before);
        JsonNode is = content(now);
        if (was.isTextual()) {
            return sameUser && is.asText().startsWith(was.asText());
        }
        List<JsonNode> blocks = Asked.list(is);
        return sameUser
                && blocks.size() > was.size()
                && blocks.subList(0, was.size()).equals(Asked.list(was));
    }

    private static JsonNode content(JsonNode message) {
        return message.path(message.has("parts") ? "parts" : "content");
    }

    private static JsonNode withoutMarks(JsonNode message) {
        JsonNode copy = message.deepCopy();
        for (JsonNode block : copy.path("content")) {
            if (block instanceof ObjectNode object) {
                object.remove("cache_control");
            }
        }
        return copy;
    }
}
