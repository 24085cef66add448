package dev.agentloop.session.export;

import dev.agentloop.message.Block;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.session.PlainText;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionSummary;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Markdown with everything but the system prompt. What tools and files said stands in fences that
 * nothing within can end.
 */
record MarkdownExport() implements SessionExport {
    @Override
    public String text(SavedSession session) {
        StringBuilder out = new StringBuilder();
        SessionSummary about = session.summary();
        out.append("# ").append(line(about.title().isEmpty() ? about.id() : about.title()));
        out.append("\n\n");
        row(out, "Session", about.id());
        row(out, "Workspace", about.workspace());
        row(out, "Model", about.model());
        row(out, "Agent", about.agent());
        row(out, "Started", about.started().toString());
        row(out, "Outcome", about.status());
        row(out, "Used", SessionExport.totals(session));
        Map<String, ToolCall> calls = new HashMap<>();
        int step = 0;
        for (Message message : session.transcript()) {
            switch (message) {
                case Message.System _ -> {} // the same in every session of this agent
                case Message.User(String text, var images) -> {
                    out.append("\n## User\n\n");
                    quote(out, text);
                    if (!images.isEmpty()) {
                        out.append("\n(").append(images.size()).append(" images)\n");
                    }
                }
                case Message.Assistant reply -> {
                    step++;
                    out.append("\n## Step ").append(step).append('\n');
                    reply(out, reply);
                    reply.toolCalls().forEach(call -> calls.put(call.id(), call));
                }
                case Message.Tool(String id, ToolResult result) ->
                        result(out, calls.get(id), result);
            }
        }
        changes(out, session);
        return out.toString();
    }

    private static void row(StringBuilder out, String name, String value) {
        out.append("- ").append(name).append(": ").append(code(value)).append('\n');
    }

    private static void reply(StringBuilder out, Message.Assistant reply) {
        for (Block block : reply.blocks()) {
            switch (block) {
                case Block.Text(String text) ->
                        out.append('\n').append(PlainText.escape(text).strip()).append('\n');
                case Block.Reasoning(String text, _) -> {
                    if (!text.isBlank()) {
                        out.append("\nReasoning:\n\n");
                        quote(out, text);
                    }
                }
                case Block.Call(ToolCall call) -> {
                    out.append("\nCall ").append(code(call.name())).append(":\n\n");
                    fence(out, "json", call.arguments());
                }
            }
        }
    }

    private static void result(StringBuilder out, @Nullable ToolCall call, ToolResult result) {
        out.append("\nResult");
        if (call != null) {
            out.append(" of ").append(code(call.name()));
        }
        out.append(" (").append(SessionExport.outcome(result)).append("):\n\n");
        fence(out, "", result.text());
    }

    private static void changes(StringBuilder out, SavedSession session) {
        if (session.changes().isEmpty()) {
            return;
        }
        out.append("\n## Files changed\n\n");
        for (FileChange change : session.changes()) {
            out.append("- ").append(change.kind().name().toLowerCase(Locale.ROOT)).append(' ');
            out.append(code(change.path()));
            out.append(" +").append(change.added()).append(" -").append(change.removed());
            out.append('\n');
        }
    }

    private static void quote(StringBuilder out, String text) {
        PlainText.escape(text)
                .strip()
                .lines()
                .forEach(line -> out.append("> ").append(line).append('\n'));
    }

    private static void fence(StringBuilder out, String language, String text) {
        String safe = PlainText.escape(text);
        String fence = "`".repeat(Math.max(3, longestTicks(safe) + 1));
        out.append(fence).append(language).append('\n').append(safe);
        if (!safe.endsWith("\n")) {
            out.append('\n');
        }
        out.append(fence).append('\n');
    }

    private static String code(String text) {
        String safe = line(text);
        String ticks = "`".repeat(longestTicks(safe) + 1);
        String room = ticks.length() > 1 || safe.isEmpty() ? " " : "";
        return ticks + room + safe + room + ticks;
    }

    private static String line(String text) {
        return PlainText.escape(text).replace('\n', ' ');
    }

    private static int longestTicks(String text) {
        int longest = 0;
        int run = 0;
        for (int i = 0; i < text.length(); i++) {
            run = text.charAt(i) == '`' ? run + 1 : 0;
            longest = Math.max(longest, run);
        }
        return longest;
    }
}
