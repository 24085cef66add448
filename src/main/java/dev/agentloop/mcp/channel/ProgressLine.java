package dev.agentloop.mcp.channel;

import dev.agentloop.json.JsonValue;

/** What a server says about the progress of a call, in one line. */
final class ProgressLine {
    private static final int MAX = 200; // characters

    private ProgressLine() {}

    static String of(JsonValue params) {
        String words = CleanText.oneLine(params.at("message").text()).strip();
        String count = number(params.at("progress"));
        if (params.at("total").isNumber()) {
            count += "/" + number(params.at("total"));
        }
        String line = words.isEmpty() ? count : count + " " + words;
        return line.length() <= MAX ? line : line.substring(0, MAX - 1) + "…";
    }

    private static String number(JsonValue value) {
        return value.isNumber() ? String.valueOf(value.raw()) : "?";
    }
}
