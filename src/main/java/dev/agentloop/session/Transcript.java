package dev.agentloop.session;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A saved session as plain text for a person: what was asked, what each step said and called, how
 * the calls ended, the last answer in full. Nothing in it can steer a terminal.
 */
public final class Transcript {
    private static final int MAX_LINE = 100; // one line of a call or a result
    private static final String INDENT = "  ";

    private final StringBuilder out = new StringBuilder();
    private final Map<String, ToolCall> calls = new HashMap<>();
    private int step;

    private Transcript() {}

    /** The whole text, ending with a line feed. */
    public static String of(SavedSession session) {
        Transcript transcript = new Transcript();
        transcript.head(session);
        List<Message> history = session.transcript();
        for (int i = 0; i < history.size(); i++) {
            transcript.add(history.get(i));
        }
        transcript.foot(session);
        return transcript.out.toString();
    }

    private void head(SavedSession session) {
        SessionSummary summary = session.summary();
        line("Session " + summary.id());
        line("Started " + summary.started() + ", last written " + summary.updated());
        line("Workspace " + summary.workspace());
        line("Model " + summary.model() + ", agent " + summary.agent());
        for (String note : session.notes()) {
            line("Note: " + note);
        }
    }

    private void add(Message message) {
        switch (message) {
            case Message.System _ -> {} // long, and the same in every session
            case Message.User(String text, _) -> {
                out.append('\n');
                text.strip().lines().forEach(line -> line("> " + line));
            }
            case Message.Assistant reply -> reply(reply);
            case Message.Tool(String callId, ToolResult result) -> result(callId, result);
        }
    }

    private void reply(Message.Assistant reply) {
        out.append('\n');
        line("Step " + ++step);
        reply.text().strip().lines().forEach(line -> line(INDENT + line));
        calls.clear();
        reply.toolCalls().forEach(call -> calls.put(call.id(), call));
    }

    private void result(String callId, ToolResult result) {
        ToolCall call = calls.get(callId);
        line(PlainText.cut(INDENT + (call == null ? callId : summary(call)), MAX_LINE));
        String kind = result.isError() ? result.kind().name().toLowerCase(Locale.ROOT) : "ok";
        String first = result.text().strip().lines().findFirst().orElse("");
        line(
                PlainText.cut(
                        INDENT + INDENT + kind + (first.isEmpty() ? "" : ": " + first), MAX_LINE));
    }

    private void foot(SavedSession session) {
        out.append('\n');
        line(
                session.summary().status()
                        + ": "
                        + count(session.steps(), "step")
                        + ", "
                        + count(session.toolCalls(), "tool call")
                        + ", "
                        + count(session.usage().total(), "token")
                        + ", "
                        + (session.usd() == null
                                ? "cost unknown"
                                : session.usd().toPlainString() + " USD"));
    }

    private static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    /** Name and arguments: {@code read_file path=src/a.py from=1}. */
    private static String summary(ToolCall call) {
        JsonValue arguments;
        try {
            arguments = Json.parse(call.arguments());
        } catch (JsonException e) {
            return call.name() + " " + call.arguments();
        }
        StringBuilder line = new StringBuilder(call.name());
        for (String key : arguments.keys()) {
            JsonValue value = arguments.at(key);
            String text =
                    value.isText()
                            ? value.text()
                            : new String(Json.bytes(value::writeTo), StandardCharsets.UTF_8);
            line.append(' ').append(key).append('=').append(text);
        }
        return line.toString();
    }

    private void line(String text) {
        out.append(PlainText.escape(text).replace("\n", "\\n").stripTrailing()).append('\n');
    }
}
