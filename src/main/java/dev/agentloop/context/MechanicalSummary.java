package dev.agentloop.context;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A summary without a model: which tools old steps called, and which files they had to do with. */
final class MechanicalSummary {
    private static final int MAX_EARLIER = 4_000; // characters of the summary before this one
    private static final int MAX_FILES = 40; // of each kind; the newest
    private static final int MAX_WORDS = 600; // characters of what the model said last
    private static final List<String> PATHS = List.of("file_path", "path");

    private final Map<String, Integer> tools = new TreeMap<>();
    private final Set<String> changed = new LinkedHashSet<>();
    private final Set<String> looked = new LinkedHashSet<>();
    private String lastWords = "";

    private MechanicalSummary() {}

    static String of(List<Message> old) {
        MechanicalSummary summary = new MechanicalSummary();
        String earlier = SpokenWords.summary(old).orElse("");
        old.forEach(summary::add);
        return summary.text(start(earlier, MAX_EARLIER));
    }

    private void add(Message message) {
        switch (message) {
            case Message.Assistant said -> {
                said.toolCalls().forEach(this::add);
                boolean own = SpokenWords.summary(List.of(said)).isEmpty();
                lastWords = own && !said.text().isBlank() ? said.text().strip() : lastWords;
            }
            case Message.Tool tool -> {
                for (FileChange change : tool.result().changes()) {
                    addNewest(changed, change.path());
                }
            }
            case Message.System _, Message.User _ -> {}
        }
    }

    private void add(ToolCall call) {
        tools.merge(call.name(), 1, Integer::sum);
        try {
            JsonValue arguments = Json.parse(call.arguments());
            for (String key : PATHS) {
                String path = arguments.at(key).text();
                if (!path.isBlank()) {
                    addNewest(looked, path);
                }
            }
        } catch (JsonException e) {
            return; // a call without readable arguments has touched nothing
        }
    }

    private static void addNewest(Set<String> paths, String path) {
        paths.remove(path);
        paths.add(path);
    }

    private String text(String earlier) {
        List<String> lines = new ArrayList<>();
        if (!earlier.isEmpty()) {
            lines.add(earlier);
        }
        List<String> calls = new ArrayList<>();
        tools.forEach((name, times) -> calls.add(name + " (" + times + ")"));
        lines.add("Tools called: " + (calls.isEmpty() ? "none" : String.join(", ", calls)) + ".");
        looked.removeAll(changed);
        addFiles(lines, "Files changed: ", changed);
        addFiles(lines, "Other files and folders looked at: ", looked);
        if (!lastWords.isEmpty()) {
            lines.add("Last words: " + start(lastWords, MAX_WORDS));
        }
        return String.join("\n", lines);
    }

    private static void addFiles(List<String> lines, String title, Set<String> paths) {
        if (paths.isEmpty()) {
            return;
        }
        int more = Math.max(0, paths.size() - MAX_FILES);
        String newest = String.join(", ", paths.stream().skip(more).toList());
        lines.add(title + newest + (more == 0 ? "." : ", and " + more + " before."));
    }

    /** Never splits a surrogate pair. */
    private static String start(String text, int limit) {
        if (text.length() <= limit) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(limit - 1)) ? limit - 1 : limit;
        return text.substring(0, end) + " [...]";
    }
}
