package dev.agentloop.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a strict provider checks in one request. */
final class RequestRules {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Asked asked;
    private final List<String> violations = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();

    private RequestRules(Asked asked) {
        this.asked = asked;
    }

    static List<String> violations(Asked asked) {
        RequestRules rules = new RequestRules(asked);
        if (asked.messages().isEmpty()) {
            rules.violations.add("no messages");
        } else if (asked.protocol() == Protocol.CHAT) {
            rules.chat();
        } else {
            rules.messages();
        }
        return rules.violations;
    }

    private void chat() {
        List<JsonNode> messages = asked.messages();
        require(role(messages.getFirst()).equals("system"), "the first message is not system");
        List<String> open = List.of();
        for (JsonNode message : messages) {
            if (role(message).equals("tool")) {
                open = answered(open, message.path("tool_call_id").asText());
                continue;
            }
            require(open.isEmpty(), "calls without a result: " + open);
            open = chatCalls(message);
            boolean blank = Asked.text(message.path("content")).isBlank();
            require(!blank || !open.isEmpty(), "an empty message of " + role(message));
        }
        require(open.isEmpty(), "calls without a result at the end: " + open);
        require(!role(messages.getLast()).equals("assistant"), "the last message is the model's");
    }

    private List<String> chatCalls(JsonNode message) {
        List<String> open = new ArrayList<>();
        for (JsonNode call : message.path("tool_calls")) {
            open.add(newId(call.path("id").asText()));
            requireObject(call.path("function").path("arguments").asText());
        }
        return open;
    }

    private void messages() {
        require(!asked.system().isBlank(), "no system prompt");
        require(asked.body().path("max_tokens").asInt() > 0, "no max_tokens");
        List<JsonNode> messages = asked.messages();
        require(role(messages.getFirst()).equals("user"), "the first message is not the user's");
        require(role(messages.getLast()).equals("user"), "the last message is not the user's");
        String before = "";
        List<String> open = List.of();
        for (JsonNode message : messages) {
            require(!role(message).equals(before), "two messages of " + before + " in a row");
            before = role(message);
            require(!message.path("content").isEmpty(), "an empty message of " + before);
            open = before.equals("user") ? userBlocks(message, open) : modelBlocks(message);
        }
    }

    private List<String> userBlocks(JsonNode message, List<String> calls) {
        List<String> open = calls;
        for (JsonNode block : message.path("content")) {
            if (block.path("type").asText().equals("tool_result")) {
                open = answered(open, block.path("tool_use_id").asText());
            } else {
                require(open.isEmpty(), "text before the results of " + open);
                requireText(block);
            }
        }
        require(open.isEmpty(), "calls without a result: " + open);
        return List.of();
    }

    private List<String> modelBlocks(JsonNode message) {
        List<String> open = new ArrayList<>();
        for (JsonNode block : message.path("content")) {
            switch (block.path("type").asText()) {
                case "tool_use" -> {
                    open.add(newId(block.path("id").asText()));
                    require(block.path("input").isObject(), "input is not an object");
                }
                case "text" -> requireText(block);
                default -> {}
            }
        }
        require(open.isEmpty() || !asked.tools().isEmpty(), "calls, but no tools declared");
        return open;
    }

    private void requireText(JsonNode block) {
        require(!block.path("text").asText().isBlank(), "an empty text block");
    }

    private void requireObject(String json) {
        try {
            require(JSON.readTree(json).isObject(), "arguments are not an object: " + json);
        } catch (IOException e) {
            violations.add("arguments are not JSON: " + json);
        }
    }

    private String newId(String id) {
        require(!id.isEmpty(), "a call without id");
        require(ids.add(id), "the id " + id + " twice");
        return id;
    }

    private List<String> answered(List<String> open, String id) {
        require(open.contains(id), "a result for " + id + ", which nobody called just before");
        List<String> left = new ArrayList<>(open);
        left.remove(id);
        return left;
    }

    private void require(boolean holds, String violation) {
        if (!holds) {
            violations.add(violation);
        }
    }

    private static String role(JsonNode message) {
        return message.path("role").asText();
    }
}
