package dev.agentloop.cli.chat;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.CommandRun;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.config.AgentsCommand;
import dev.agentloop.cli.config.MemoryCommand;
import dev.agentloop.cli.config.ModelsCommand;
import dev.agentloop.cli.mcp.McpCommand;
import dev.agentloop.cli.resume.SessionPicker;
import dev.agentloop.cli.session.SessionsCommand;
import dev.agentloop.cli.session.UndoCommand;
import dev.agentloop.cli.session.UndoRun;
import dev.agentloop.cli.terminal.ChatScreen;
import dev.agentloop.cli.terminal.IoErrorText;
import dev.agentloop.cli.terminal.Streams;
import dev.agentloop.cli.terminal.ThemeChoice;
import dev.agentloop.cli.tool.ContextCommand;
import dev.agentloop.cli.tool.PolicyCommand;
import dev.agentloop.cli.tool.ToolsCommand;
import dev.agentloop.cli.workspace.WorkspaceTrust;
import dev.agentloop.colour.Theme;
import dev.agentloop.markdown.MarkdownStream;
import dev.agentloop.output.CallWords;
import dev.agentloop.output.Plural;
import dev.agentloop.output.SafeText;
import dev.agentloop.output.WorkLog;
import dev.agentloop.replay.view.StepView;
import dev.agentloop.replay.view.StepViews;
import dev.agentloop.session.Blobs;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionException;
import dev.agentloop.session.SessionStore;
import dev.agentloop.session.export.SessionExport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.RoundingMode;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Shows what a person asks for at the prompt, mostly by the command that shows it elsewhere. */
final class ChatViews {
    private static final int LONGEST = 60; // characters of what was said in the list of steps
    private static final int MOST_STEPS = 50;
    private static final String SAMPLE =
            """
            ```java
            String greeting = "hello"; // 5 letters
            ```
            ```diff
            -an old line
            +a new line
            ```
            """;

    private Invocation invocation;
    private final Streams streams;
    private final ChatRuns runs;
    private final ChatChoice choice;

    ChatViews(Invocation invocation, ChatRuns runs, ChatChoice choice) {
        this.invocation = invocation;
        this.streams = invocation.streams();
        this.runs = runs;
        this.choice = choice;
    }

    /** From now on questions are asked on the chat's screen. */
    void use(ChatScreen screen) {
        invocation = invocation.in(screen);
    }

    /** Those of the provider at hand, else all. */
    void models() {
        int slash = runs.model().indexOf('/');
        String provider = slash > 0 ? runs.model().substring(0, slash) : "";
        run(new ModelsCommand(), provider.isEmpty() ? List.of("list") : List.of("list", provider));
        if (!provider.isEmpty()) {
            say("The next task is for " + runs.model() + ".");
        }
    }

    void agents() {
        run(new AgentsCommand(), inWorkspace("list"));
    }

    void mcp() {
        run(new McpCommand(), inWorkspace("list"));
    }

    void memory() {
        run(new MemoryCommand(), inWorkspace("list"));
    }

    void tools() {
        run(new ToolsCommand(), withOptions("list"));
    }

    void context() {
        run(new ContextCommand(), withOptions("--explain"));
    }

    void diff() {
        run(new SessionsCommand(), List.of("diff", runs.session()));
    }

    void undo() {
        run(new UndoCommand(), List.of(runs.session()));
    }

    /**
     * What the rules say of a call; without one, the rules and the sandbox, each with its place.
     */
    void permissions(String call) {
        if (!call.isEmpty()) {
            run(new PolicyCommand(), withOptions("explain", call));
            return;
        }
        choice.config()
                .ifPresentOrElse(
                        loaded ->
                                loaded.report().entries().stream()
                                        .filter(each ->
                                                each.key().startsWith("permissions.")
                                                        || each.key().startsWith("sandbox."))
                                        .forEach(each ->
                                                say(
                                                        "%s: %s  (%s)"
                                                                .formatted(
                                                                        each.key(),
                                                                        each.value(),
                                                                        each.origin().text()))),
                        () -> say("The configuration cannot be read: agent config validate."));
        try {
            WorkspaceTrust.of(invocation, workspace().toRealPath())
                    .always()
                    .forEach(rule -> say("always here: " + rule + "  (your answer to a question)"));
        } catch (IOException | UncheckedIOException e) {
            say("What you have allowed here cannot be read: " + e.getMessage());
        }
    }

    private Path workspace() {
        return runs.workspace().isEmpty()
                ? invocation.currentDirectory()
                : Path.of(runs.workspace());
    }

    /** The steps that one can go back to, or the way back to one of them. */
    void rewind(String step) {
        if (!step.isEmpty()) {
            run(new SessionsCommand(), List.of("rewind", runs.session(), "--to-step=" + step));
            return;
        }
        try {
            SavedSession session = UndoRun.store(invocation).read(runs.session());
            List<StepView> steps = StepViews.of(session.transcript());
            int hidden = Math.max(0, steps.size() - MOST_STEPS);
            say(hidden == 0 ? "The steps:" : "The last " + MOST_STEPS + " steps:");
            for (StepView view : steps.subList(hidden, steps.size())) {
                if (!view.said().isEmpty()) {
                    say("  > " + firstLine(view.said().getLast()));
                }
                say("  %3d  %s".formatted(view.number(), done(view)));
            }
            say("/rewind STEP puts files and conversation back to what they were after it.");
        } catch (SessionException e) {
            say(String.valueOf(e.getMessage()));
        }
    }

    /** What changed the files, else what was called first, else what was said. */
    private static String done(StepView step) {
        if (step.number() == 0) {
            return "(before the first step)";
        }
        List<String> changes =
                step.calls().stream()
                        .flatMap(call -> call.changes().stream())
                        .map(CallWords::of)
                        .toList();
        if (!changes.isEmpty()) {
            return String.join(", ", changes);
        }
        return step.calls().isEmpty()
                ? firstLine(step.text())
                : CallWords.of(step.calls().getFirst().call());
    }

    private static String firstLine(String text) {
        return SafeText.line(text.strip().lines().findFirst().orElse(""), LONGEST);
    }

    /** The themes, or the chosen one from now on, with a piece of code in it. */
    void theme(String word) {
        ThemeChoice choice = new ThemeChoice(invocation.environment(), invocation.state());
        if (word.isEmpty()) {
            for (Theme theme : Theme.values()) {
                String mark = theme == choice.theme() ? "* " : "  ";
                say(mark + theme.word() + ": " + theme.meaning);
            }
            return;
        }
        if (!choice.variable().isEmpty()) {
            say(ThemeChoice.VARIABLE + " is set and names the theme. Nothing has changed.");
            return;
        }
        Optional<Theme> theme = Theme.named(word);
        if (theme.isEmpty()) {
            say("There is no theme " + word + ": " + Theme.words() + ". Nothing has changed.");
            return;
        }
        try {
            choice.keep(theme.get());
            say("From now on, here and in all that comes: " + theme.get().word());
            MarkdownStream sample = WorkLog.markdown(invocation.style(true), () -> LONGEST);
            streams.printError(sample.add(SAMPLE) + sample.end());
        } catch (IOException e) {
            say("The choice cannot be kept: " + IoErrorText.of(e));
        }
    }

    void cost() {
        session()
                .ifPresent(session ->
                        say(
                                "%s, %,d tokens (%,d of the prompts, %,d of them from the cache; %,d of the answers), %s"
                                        .formatted(
                                                Plural.of(session.steps(), "step"),
                                                session.usage().total(),
                                                session.usage().prompt(),
                                                session.usage().cacheRead(),
                                                session.usage().output(),
                                                session.usd() == null
                                                        ? "cost unknown"
                                                        : "$"
                                                                + session.usd()
                                                                        .setScale(
                                                                                4,
                                                                                RoundingMode
                                                                                        .HALF_UP))));
    }

    /** One of the sessions of this workspace; empty if the person wants none. */
    Optional<String> choose() {
        try {
            return new SessionPicker(invocation, workspace()).choose();
        } catch (IOException e) {
            say(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /** Writes the session to a new file, in the form that the file's name says. */
    void export(String name) {
        whole().ifPresent(session -> {
            String file = name.isEmpty() ? "session-" + session.summary().id() + ".html" : name;
            String form = file.substring(file.lastIndexOf('.') + 1);
            Optional<SessionExport> export = SessionExport.named(form);
            if (export.isEmpty()) {
                say("Give a name that ends in .html, .md or .json. Nothing was written.");
                return;
            }
            try {
                Path path =
                        file.startsWith("~/")
                                ? invocation.home().resolve(file.substring(2))
                                : invocation.currentDirectory().resolve(file);
                Blobs contents = UndoRun.store(invocation).contents(runs.session());
                write(path, invocation.secrets().mask(export.get().text(session, contents)));
                say("Written: " + path);
            } catch (SessionException e) {
                say(String.valueOf(e.getMessage()));
            } catch (FileAlreadyExistsException e) {
                say(file + " is there already. Nothing was written.");
            } catch (InvalidPathException e) {
                say(file + " is no name of a file. Nothing was written.");
            } catch (IOException e) {
                say(file + " cannot be written: " + IoErrorText.of(e));
            }
        });
    }

    /** For its owner alone, who may share it. */
    private static void write(Path path, String text) throws IOException {
        Files.createFile(
                path,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(path, text);
    }

    private Optional<SavedSession> whole() {
        try {
            return Optional.of(UndoRun.store(invocation).read(runs.session()));
        } catch (SessionException e) {
            say(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /**
     * The session as it is kept, without the results of its calls; says so if it cannot be read.
     */
    Optional<SavedSession> session() {
        return read(runs.session());
    }

    Optional<SavedSession> read(String id) {
        try {
            return Optional.of(UndoRun.store(invocation).survey(id, SessionStore.ALL));
        } catch (SessionException e) {
            say(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private List<String> inWorkspace(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        if (!runs.workspace().isEmpty()) {
            all.add("--cwd=" + runs.workspace());
        }
        return all;
    }

    private List<String> withOptions(String... words) {
        List<String> all = new ArrayList<>(runs.options());
        all.addAll(List.of(words));
        return all;
    }

    private void run(Command command, List<String> words) {
        CommandRun.run(command, words.toArray(String[]::new), invocation);
    }

    private void say(String line) {
        streams.printError(SafeText.line(line) + "\n");
    }
}
