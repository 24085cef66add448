package dev.agentloop.cli.tool;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.context.TokenEstimate;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.prompt.PromptPart;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionException;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.wiring.AgentWiring;
import dev.agentloop.wiring.Sessions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ParseResult;

/** Puts the next request together as a run would, and looks at it instead of sending it. */
final class ContextTrial {
    private final List<ContextReport.Row> rows = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<PromptPart> lasting;
    private final List<PromptPart> passing;
    private final List<ToolSpec> tools;
    private final String task;

    private ContextTrial(AgentWiring wiring, String task) {
        String notice = wiring.guidanceNotice();
        if (!notice.isEmpty()) {
            notes.add(notice);
        }
        this.lasting = wiring.promptParts().systemParts();
        this.passing = wiring.promptParts().taskParts();
        this.tools = wiring.toolsAlone().specs();
        this.task = task;
    }

    /**
     * The report of what the words ask for.
     *
     * @param as the use in which it is explained; empty: the one at hand
     */
    static ContextReport report(ParseResult arguments, Invocation invocation, String as)
            throws UsageException, SessionException, IOException {
        String task = String.join(" ", Specs.positional(arguments));
        try (ToolTrial tools = ToolTrial.describing(arguments, invocation)) {
            ContextTrial trial = new ContextTrial(tools.wiring(PolicyTrial.use(as)), task);
            String id = RunOption.SESSION.text(arguments);
            if (id.isEmpty()) {
                trial.beginning();
            } else {
                SavedSession session = read(id, invocation);
                checkFolder(session, arguments, invocation);
                String agent = RunOption.AGENT.text(arguments);
                boolean other = !agent.isEmpty() && !agent.equals(session.summary().agent());
                trial.continued(session, other);
            }
            return new ContextReport(List.copyOf(trial.rows), List.copyOf(trial.notes));
        }
    }

    private static SavedSession read(String id, Invocation invocation) throws SessionException {
        Path root = invocation.sessions();
        return Sessions.store(root, null).read(id);
    }

    private static void checkFolder(
            SavedSession session, ParseResult arguments, Invocation invocation)
            throws UsageException, IOException {
        Path here =
                invocation.currentDirectory().resolve(RunOption.CWD.text(arguments)).toRealPath();
        String folder = session.summary().workspace();
        if (!here.toString().equals(folder)) {
            throw new UsageException(
                    "the session belongs to the workspace " + folder + "; add -C " + folder + ".");
        }
    }

    private void beginning() {
        lasting.forEach(part -> add(part, true));
        addTools(true);
        addTask();
        notes.add("A new session: what is cached here stays the same to the byte while it lasts.");
    }

    /**
     * @param other whether another agent goes on, with instructions of its own
     */
    private void continued(SavedSession session, boolean other) {
        List<Message> history = session.history();
        int before = lastReply(history); // messages of the request before
        boolean kept = !other && !history.isEmpty() && history.getFirst() instanceof Message.System;
        if (kept) {
            add("system prompt", "as the session began", history.getFirst(), before > 0);
        } else {
            lasting.forEach(part -> add(part, false));
        }
        addTools(kept && before > 0);
        for (int i = 0; i < history.size(); i++) {
            Message message = history.get(i);
            if (!(message instanceof Message.System)) {
                String name = "message " + (i + 1);
                add(name, role(message), message, kept && i < before);
            }
        }
        addTask();
        compare(history, before, kept);
    }

    private void compare(List<Message> history, int before, boolean kept) {
        if (before <= 0) {
            notes.add("There was no request before this one.");
        } else if (kept) {
            notes.add(
                    "Compared with the request before, the first "
                            + before
                            + " messages are the same; new from message "
                            + (before + 1)
                            + " on.");
        } else {
            notes.add(
                    "Compared with the request before, the system prompt is another one: nothing"
                            + " of the cache can be used.");
        }
        if (kept && history.getFirst() instanceof Message.System(String text)) {
            List<String> changed =
                    lasting.stream()
                            .filter(part -> !text.contains(part.text()))
                            .map(part -> part.name() + " (" + part.source() + ")")
                            .toList();
            if (!changed.isEmpty()) {
                notes.add(
                        "A new session would begin otherwise in: "
                                + String.join(", ", changed)
                                + "; this one keeps its system prompt.");
            }
        }
    }

    /** How many messages stand before the last reply; -1 if there is none. */
    private static int lastReply(List<Message> history) {
        for (int i = history.size() - 1; i >= 0; i--) {
            if (history.get(i) instanceof Message.Assistant) {
                return i;
            }
        }
        return -1;
    }

    private void addTools(boolean cached) {
        for (ToolSpec tool : tools) {
            String text = tool.name() + tool.description() + tool.parameters();
            rows.add(row("tool " + tool.name(), "declaration", text, cached));
        }
    }

    private void addTask() {
        if (!task.isEmpty()) {
            rows.add(row("task", "command line", task, false));
        }
        passing.forEach(part -> add(part, false));
    }

    private void add(PromptPart part, boolean cached) {
        rows.add(row(part.name(), part.source(), part.text(), cached));
    }

    private static ContextReport.Row row(String name, String source, String text, boolean cached) {
        return new ContextReport.Row(
                name,
                source,
                TokenEstimate.utf8Length(text),
                TokenEstimate.ofCharacters(text.length()),
                cached);
    }

    private void add(String name, String source, Message message, boolean cached) {
        rows.add(
                new ContextReport.Row(
                        name, source, bytes(message), TokenEstimate.of(List.of(message)), cached));
    }

    private static long bytes(Message message) {
        return switch (message) {
            case Message.System(String text) -> TokenEstimate.utf8Length(text);
            case Message.User said ->
                    TokenEstimate.utf8Length(said.text())
                            + said.images().stream().mapToLong(i -> i.base64().length()).sum();
            case Message.Tool tool ->
                    TokenEstimate.utf8Length(tool.result().text())
                            + tool.result().images().stream()
                                    .mapToLong(i -> i.base64().length())
                                    .sum();
            case Message.Assistant reply ->
                    reply.blocks().stream().mapToLong(ContextTrial::bytes).sum();
        };
    }

    private static long bytes(Block block) {
        return switch (block) {
            case Block.Text(String text) -> TokenEstimate.utf8Length(text);
            case Block.Reasoning(String text, String provenance) ->
                    Math.max(TokenEstimate.utf8Length(text), provenance.length());
            case Block.Call(var call) -> TokenEstimate.utf8Length(call.name() + call.arguments());
        };
    }

    private static String role(Message message) {
        return message.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }
}
