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

/**
 * One HTML page that needs nothing else and can do nothing: no script, no link, no image, and a
 * policy that forbids them. Everything recorded is text.
 */
record HtmlExport() implements SessionExport {
    private static final String STYLE =
            "body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
                    + "pre{background:#f4f4f4;padding:.7em;overflow:auto;white-space:pre-wrap}"
                    + "blockquote{border-left:4px solid #888;margin:0;padding-left:1em;"
                    + "white-space:pre-wrap}.text{white-space:pre-wrap}"
                    + "@media(prefers-color-scheme:dark){body{background:#1b1b1b;color:#ddd}"
                    + "pre{background:#2a2a2a}}";

    @Override
    public String text(SavedSession session) {
        StringBuilder out = new StringBuilder();
        SessionSummary about = session.summary();
        String title = escape(about.title().isEmpty() ? about.id() : about.title());
        out.append("<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n")
                .append(
                        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';")
                .append(" style-src 'unsafe-inline'\">\n<title>")
                .append(title)
                .append("</title>\n<style>")
                .append(STYLE)
                .append("</style>\n<h1>")
                .append(title)
                .append("</h1>\n<ul>\n");
        row(out, "Session", about.id());
        row(out, "Workspace", about.workspace());
        row(out, "Model", about.model());
        row(out, "Agent", about.agent());
        row(out, "Started", about.started().toString());
        row(out, "Outcome", about.status());
        row(out, "Used", SessionExport.totals(session));
        out.append("</ul>\n");
        messages(out, session);
        changes(out, session);
        return out.append("</html>\n").toString();
    }

    private static void messages(StringBuilder out, SavedSession session) {
        Map<String, ToolCall> calls = new HashMap<>();
        int step = 0;
        for (Message message : session.transcript()) {
            switch (message) {
                case Message.System(String text) -> details(out, "Instructions", text);
                case Message.User(String text, var images) -> {
                    String shown = images.isEmpty() ? "" : " (" + images.size() + " images)";
                    out.append("<h2>User").append(shown).append("</h2>\n<blockquote>");
                    out.append(escape(text.strip())).append("</blockquote>\n");
                }
                case Message.Assistant reply -> {
                    step++;
                    out.append("<h2>Step ").append(step).append("</h2>\n");
                    reply(out, reply);
                    reply.toolCalls().forEach(call -> calls.put(call.id(), call));
                }
                case Message.Tool(String id, ToolResult result) -> {
                    ToolCall call = calls.get(id);
                    String of = call == null ? "" : " of " + call.name();
                    String label = "Result" + of + " (" + SessionExport.outcome(result) + ")";
                    details(out, label, result.text());
                }
            }
        }
    }

    private static void reply(StringBuilder out, Message.Assistant reply) {
        for (Block block : reply.blocks()) {
            switch (block) {
                case Block.Text(String text) ->
                        out.append("<p class=\"text\">")
                                .append(escape(text.strip()))
                                .append("</p>\n");
                case Block.Reasoning(String text, _) -> {
                    if (!text.isBlank()) {
                        details(out, "Reasoning", text);
                    }
                }
                case Block.Call(ToolCall call) -> {
                    out.append("<p>Call <code>")
                            .append(escape(call.name()))
                            .append("</code></p>\n");
                    out.append("<pre>").append(escape(call.arguments())).append("</pre>\n");
                }
            }
        }
    }

    private static void changes(StringBuilder out, SavedSession session) {
        if (session.changes().isEmpty()) {
            return;
        }
        out.append("<h2>Files changed</h2>\n<ul>\n");
        for (FileChange change : session.changes()) {
            String kind = change.kind().name().toLowerCase(Locale.ROOT);
            out.append("<li>").append(kind).append(" <code>").append(escape(change.path()));
            out.append("</code> +").append(change.added()).append(" -").append(change.removed());
            out.append("</li>\n");
        }
        out.append("</ul>\n");
    }

    private static void row(StringBuilder out, String name, String value) {
        out.append("<li>").append(name).append(": ").append(escape(value)).append("</li>\n");
    }

    private static void details(StringBuilder out, String label, String text) {
        out.append("<details><summary>").append(escape(label)).append("</summary>\n<pre>");
        out.append(escape(text)).append("</pre></details>\n");
    }

    private static String escape(String text) {
        return PlainText.escape(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
