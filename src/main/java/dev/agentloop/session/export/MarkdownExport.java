package dev.agentloop.session.export;

import dev.agentloop.message.Block;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.session.Blobs;
import dev.agentloop.session.PlainText;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionSummary;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Markdown with everything but the system prompt. What tools and files said stands in fences that
 * nothing within can end; what people and models said is shown as words and code.
 */
record MarkdownExport() implements SessionExport {
    @Override
    public String text(SavedSession session, Blobs contents) {
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
        out.append("- ").append(name).append(": ").append(MarkdownText.code(value)).append('\n');
    }

    private static void reply(StringBuilder out, Message.Assistant reply) {
        for (Block block : reply.blocks()) {
            switch (block) {
                case Block.Text(String text) -> out.append('\n').append(MarkdownText.blocks(text));
                case Block.Reasoning(String text, _) -> {
                    if (!text.isBlank()) {
                        out.append("\nReasoning:\n\n");
                        quote(out, text);
                    }
                }
                case Block.Call(ToolCall call) -> {
                    out.append("\nCall ").append(MarkdownText.code(call.name())).append(":\n\n");
                    MarkdownText.fence(out, "json", call.arguments());
                }
            }
        }
    }

    private static void result(StringBuilder out, @Nullable ToolCall call, ToolResult result) {
        out.append("\nResult");
        if (call != null) {
            out.append(" of ").append(MarkdownText.code(call.name()));
        }
        out.append(" (").append(SessionExport.outcome(result)).append("):\n\n");
        MarkdownText.fence(out, "", result.text());
    }

    private static void changes(StringBuilder out, SavedSession session) {
        if (session.changes().isEmpty()) {
            return;
        }
        out.append("\n## Files changed\n\n");
        for (FileChange change : session.changes()) {
            out.append("- ").append(change.kind().name().toLowerCase(Locale.ROOT)).append(' ');
            out.append(MarkdownText.code(change.path()));
            out.append(" +").append(change.added()).append(" -").append(change.removed());
            out.append('\n');
        }
    }

    private static void quote(StringBuilder out, String text) {
        PlainText.escape(text)
                .strip()
                .lines()
                .forEach(line -> out.append("> ").append(MarkdownText.line(line)).append('\n'));
    }

    private static String line(String text) {
        return MarkdownText.line(PlainText.escape(text).replace('\n', ' '));
    }
}
