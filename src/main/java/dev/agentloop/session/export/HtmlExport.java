package dev.agentloop.session.export;

import dev.agentloop.html.Html;
import dev.agentloop.html.HtmlPage;
import dev.agentloop.message.Block;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.session.Blobs;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionSummary;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** One HTML page that needs nothing else; everything recorded is text in it. */
record HtmlExport() implements SessionExport {
    private static final String SURROUNDINGS = "\n<surroundings>\n";

    @Override
    public String text(SavedSession session, Blobs contents) {
        SessionSummary about = session.summary();
        StringBuilder parts = new StringBuilder();
        messages(parts, session, new EarlierTexts(session, contents));
        changes(parts, session);
        return HtmlPage.of(
                about.title().isEmpty() ? about.id() : about.title(),
                facts(session) + SpendingChart.of(session.paid()),
                parts);
    }

    private static String facts(SavedSession session) {
        SessionSummary about = session.summary();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("Session", about.id());
        facts.put("Workspace", about.workspace());
        facts.put("Model", about.model());
        facts.put("Agent", about.agent());
        facts.put("Started", about.started().toString());
        facts.put("Outcome", about.status());
        facts.put("Used", SessionExport.totals(session));
        return HtmlPage.facts(facts);
    }

    private static void messages(StringBuilder out, SavedSession session, EarlierTexts earlier) {
        Map<String, ToolResult> results = new HashMap<>();
        for (Message message : session.transcript()) {
            if (message instanceof Message.Tool(String id, ToolResult result)) {
                results.put(id, result);
            }
        }
        Set<String> shown = new HashSet<>();
        int step = 0;
        for (Message message : session.transcript()) {
            switch (message) {
                case Message.System(String text) -> {
                    String folded = Html.folded("Instructions to the model", Html.pre(text), false);
                    out.append(HtmlPage.section("", folded));
                }
                case Message.User(String text, var images) -> user(out, text, images.size());
                case Message.Assistant reply -> {
                    out.append("<section tabindex=\"-1\" id=\"step-").append(++step);
                    out.append("\">\n<h2>Step ").append(step).append("</h2>\n");
                    reply.blocks().forEach(block -> block(out, block, results, earlier));
                    out.append("</section>\n");
                    reply.toolCalls().forEach(call -> shown.add(call.id()));
                }
                case Message.Tool(String id, ToolResult result) -> {
                    if (!shown.contains(id)) { // of a call that is not on record
                        out.append(HtmlPage.section("Result", Html.pre(result.text())));
                    }
                }
            }
        }
    }

    /** What the agent has put behind the words stands apart from them. */
    private static void user(StringBuilder out, String text, int images) {
        int end = text.lastIndexOf(SURROUNDINGS);
        boolean apart = end >= 0 && text.stripTrailing().endsWith("</surroundings>");
        String words = apart ? text.substring(0, end) : text;
        out.append("<section tabindex=\"-1\">\n<h2>User");
        out.append(images == 0 ? "" : " (" + images + " images)");
        out.append("</h2>\n<div class=\"user\">").append(Html.text(words.strip()));
        out.append("</div>\n");
        if (apart) {
            String added = Html.pre(text.substring(end).strip());
            out.append(Html.folded("Added by the agent", added, false));
        }
        out.append("</section>\n");
    }

    private static void block(
            StringBuilder out, Block block, Map<String, ToolResult> results, EarlierTexts earlier) {
        switch (block) {
            case Block.Text(String text) -> out.append(Html.said(text.strip()));
            case Block.Reasoning(String text, _) -> {
                if (!text.isBlank()) {
                    String inner = "<div class=\"reasoning\">" + Html.said(text.strip()) + "</div>";
                    out.append(Html.folded("Reasoning", inner, false));
                }
            }
            case Block.Call(ToolCall call) ->
                    out.append(HtmlCall.of(call, results.get(call.id()), earlier));
        }
    }

    private static void changes(StringBuilder out, SavedSession session) {
        if (session.changes().isEmpty()) {
            return;
        }
        out.append("<section tabindex=\"-1\">\n<h2>Files changed</h2>\n<ul>\n");
        for (FileChange change : session.changes()) {
            String kind = change.kind().name().toLowerCase(Locale.ROOT);
            out.append("<li>").append(kind).append(" <code>").append(Html.text(change.path()));
            out.append("</code> +").append(change.added()).append(" -").append(change.removed());
            out.append("</li>\n");
        }
        out.append("</ul>\n</section>\n");
    }
}
