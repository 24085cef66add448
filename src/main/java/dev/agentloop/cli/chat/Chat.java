package dev.agentloop.cli.chat;

import dev.agentloop.chat.Entry;
import dev.agentloop.chat.LineEditor;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Signals;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.resume.SessionChoice;
import dev.agentloop.cli.run.RunExecution;
import dev.agentloop.cli.setup.ResultFacts;
import dev.agentloop.cli.terminal.ChatScreen;
import dev.agentloop.cli.terminal.Footer;
import dev.agentloop.cli.terminal.Streams;
import dev.agentloop.cli.terminal.ThemeChoice;
import dev.agentloop.control.Cancellation;
import dev.agentloop.output.LastResults;
import dev.agentloop.output.SafeText;
import dev.agentloop.output.Style;
import dev.agentloop.wiring.prompt.DemoProject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/**
 * A conversation at the terminal. Each task is a run with all that belongs to one: its limits, its
 * summary, its signals. Ctrl-C in a run stops that run; at the prompt it clears what is typed, and
 * leaves when it comes again.
 */
final class Chat {
    private static final String NOT_KEPT =
            "No session is kept, so the next task will know nothing of this one"
                    + " (sessions.auto_save, or a state folder that cannot be written).\n";
    private static final String FIRST_GUIDANCE =
            """
            Write AGENTS.md at the root of this workspace: what coding agents that begin to work here \
            must know and cannot guess. Look first: README, build files, CI, tests, the layout of the \
            sources. Say, in at most 60 lines: the commands that build, run all tests, run a single \
            test, and lint; where things are; conventions that the code shows; what goes wrong easily. \
            Write only what you have seen in files or tried, and say which commands you did not try. \
            If there is an AGENTS.md, keep what is right in it and mend the rest.\
            """;
    private static final Set<String> LEAVE = Set.of("exit", "quit"); // as in a shell

    /** A key that is no character, where a terminal only takes whole lines, or in a paste. */
    private static final Pattern OTHER_KEY = Pattern.compile("[\\p{Cntrl}&&[^\n\t]]");

    private static final String ONCE_MORE = "(Ctrl-C once more leaves; so does Ctrl-D)\n";

    private final Invocation invocation;
    private final Streams streams;
    private final ChatRuns runs;
    private final ChatChoice choice;
    private final ChatViews views;
    private final ChatPrompt prompt;
    private final TypedCommand typed;
    private final Footer footer = new Footer();
    private final LastResults results = new LastResults();
    private volatile Style style; // of the footer
    private @Nullable ChatScreen screen;
    private boolean begun; // by the last task
    private boolean goesOn; // with what was typed during the last run

    Chat(ParseResult arguments, Invocation invocation) {
        this.invocation = invocation;
        Invocation inWords = invocation.broken();
        this.streams = inWords.streams();
        this.runs = new ChatRuns(arguments);
        this.choice = new ChatChoice(invocation, runs);
        this.views = new ChatViews(inWords, runs, choice);
        this.prompt = new ChatPrompt(runs, views, footer);
        this.typed = new TypedCommand(invocation, runs);
        this.style = invocation.style(streams.outIsTerminal());
    }

    /** Until the person leaves; the exit code. */
    int talk() throws UsageException {
        try (LineEditor editor = LineEditor.open(habits());
                Signals _ = signals(editor)) {
            TypedLines lines = new TypedLines(editor, invocation.ownsProcess());
            screen =
                    new ChatScreen(
                            editor.live(),
                            footer,
                            results,
                            editor::restore,
                            editor::background,
                            lines);
            views.use(screen);
            streams.printError(ThemeChoice.problem(invocation.environment()));
            Optional<ExitCode> over = Optional.empty();
            if (runs.hasFirst()) {
                over = run(runs.first());
            } else {
                ChatHeader header = new ChatHeader(invocation);
                streams.printError(header.first());
                header.showRest(runs.of("").arguments(), editor::showAboveFirst);
            }
            return (over.isPresent() ? over.get() : converse(editor, lines)).code();
        } catch (IOException e) {
            throw new UsageException(
                    "agent chat cannot use this terminal (" + e.getMessage() + ").");
        } finally {
            farewell();
        }
    }

    private LineEditor.Habits habits() {
        Path folder = invocation.currentDirectory().toAbsolutePath().normalize();
        byte[] path = folder.toString().getBytes(StandardCharsets.UTF_8);
        return new LineEditor.Habits(
                invocation.environment(),
                invocation.state().resolve("chat").resolve(UUID.nameUUIDFromBytes(path).toString()),
                invocation.secrets()::mask,
                new ChatCompletions(invocation, runs, choice),
                columns -> style.dim(footer.text(columns)),
                () -> results.text(1),
                style.colours().needsBackground());
    }

    private ExitCode converse(LineEditor editor, TypedLines lines) {
        boolean warned = false; // by Ctrl-C, and nothing has been typed since
        while (true) {
            Optional<String> queued = queued(editor);
            if (queued.isPresent()) {
                Optional<ExitCode> over = said(queued.get());
                if (over.isPresent()) {
                    return over.get();
                }
                continue;
            }
            prompt.showStanding();
            switch (lines.task()) {
                case Entry.Closed() -> {
                    return ExitCode.SUCCESS;
                }
                case Entry.Cut(boolean hadText) -> {
                    if (warned && !hadText) {
                        return ExitCode.INTERRUPTED;
                    }
                    warned = true;
                    streams.printError(ONCE_MORE);
                }
                case Entry.Typed(String text) -> {
                    warned = false;
                    Signals.forgetInterrupt();
                    Optional<ExitCode> over = said(text);
                    if (over.isPresent()) {
                        return over.get();
                    }
                }
            }
        }
    }

    /** What was typed during a run is the next task, if that run has done what it should. */
    private Optional<String> queued(LineEditor editor) {
        Optional<String> next =
                goesOn ? Optional.ofNullable(editor.live().takeNext()) : Optional.empty();
        next.ifPresent(text -> {
            editor.remember(text);
            streams.printError(ChatPrompt.SIGN + SafeText.block(text).stripTrailing() + "\n");
        });
        return next;
    }

    /** The exit code if it is over with that. */
    private Optional<ExitCode> said(String typedText) {
        String text = OTHER_KEY.matcher(typedText).replaceAll("");
        if (text.isBlank()) {
            return Optional.empty();
        }
        if (text.strip().equals("-")) { // would be read from where we read
            streams.printError("A task is typed here; - stands for nothing.\n");
            return Optional.empty();
        }
        if (LEAVE.contains(text.strip())) {
            return Optional.of(ExitCode.SUCCESS);
        }
        if (text.startsWith("!")) {
            boolean told = !text.startsWith("!!");
            String command = text.substring(told ? 1 : 2).strip();
            if (!command.isEmpty()) {
                typed.run(command, told);
            }
            return ended();
        }
        Optional<ChatWord.Said> word = ChatWord.of(text);
        if (word.isEmpty()) {
            Optional<ExitCode> over = run(runs.of(typed.tell(text), images(text)));
            streams.printError(begun ? "" : ChatWord.suggestion(text));
            return over;
        }
        try {
            return obey(word.get());
        } catch (RuntimeException e) { // of ours: the conversation is worth more than the word
            streams.printError("agent: internal error: " + SafeText.line(e.toString()) + "\n");
            return Optional.empty();
        }
    }

    /** Those that the task names, as the person is told. */
    private List<Path> images(String task) {
        Path folder =
                runs.workspace().isEmpty()
                        ? invocation.currentDirectory()
                        : Path.of(runs.workspace());
        return NamedImages.shown(task, folder, invocation.home(), streams::printError);
    }

    private Optional<ExitCode> obey(ChatWord.Said said) {
        if (!said.fits()) {
            streams.printError(
                    said.word().written()
                            + " takes no words behind it. Nothing was done: type it alone.\n");
            return ended();
        }
        String argument = said.argument();
        switch (said.word()) {
            case HELP -> streams.printError(ChatWord.help(invocation.screen().columns()));
            case EXIT, QUIT -> {
                return Optional.of(ExitCode.SUCCESS);
            }
            case NEW, CLEAR -> beginAnew();
            case MODEL -> choose(argument, views::models, choice::problemOfModel, runs::useModel);
            case AGENT -> choose(argument, views::agents, choice::problemOfAgent, runs::useAgent);
            case DIFF -> ofSession(views::diff);
            case UNDO -> ofSession(views::undo);
            case REWIND -> ofSession(() -> views.rewind(argument));
            case COST -> ofSession(views::cost);
            case OUTPUT -> output(argument);
            case EXPORT -> ofSession(() -> views.export(argument));
            case RESUME -> resume(argument);
            case CONTEXT -> views.context();
            case PERMISSIONS -> views.permissions(argument);
            case TOOLS -> views.tools();
            case MCP -> views.mcp();
            case MEMORY -> views.memory();
            case THEME -> theme(argument);
            case COMPACT -> {
                return compact();
            }
            case INIT -> {
                return run(runs.of(FIRST_GUIDANCE));
            }
        }
        return ended();
    }

    private void beginAnew() {
        farewell();
        runs.forget();
        streams.printError("The next task begins a new session.\n");
    }

    private void theme(String name) {
        views.theme(name);
        style = invocation.style(streams.outIsTerminal());
    }

    private void output(String back) {
        String text =
                back.matches("[1-9]\\d?|")
                        ? results.text(back.isEmpty() ? 1 : Integer.parseInt(back))
                        : "";
        if (text.isEmpty()) {
            streams.printError(
                    "No such result is kept: /output shows the last one, /output 2 the one before.\n");
        } else {
            invocation.streams().printError(text); // as it was printed
        }
    }

    private void resume(String id) {
        Optional<String> chosen = id.isEmpty() ? views.choose() : Optional.of(id);
        chosen.flatMap(views::read)
                .ifPresent(session -> {
                    runs.goOnWith(session.summary().id(), session.summary().workspace());
                    streams.printError(
                            "The next task goes on with: "
                                    + SafeText.line(session.summary().title())
                                    + "\n");
                });
    }

    private void choose(
            String name, Runnable list, UnaryOperator<String> problemOf, Consumer<String> use) {
        if (name.isEmpty()) {
            list.run();
            return;
        }
        String problem = problemOf.apply(name);
        if (problem.isEmpty()) {
            use.accept(name);
            streams.printError("From the next task on: " + SafeText.line(name) + "\n");
        } else {
            streams.printError(problem + "\nNothing has changed.\n");
        }
    }

    private void ofSession(Runnable work) {
        if (runs.session().isEmpty()) {
            streams.printError("There is no session yet: give a task first.\n");
        } else {
            work.run();
        }
    }

    private Optional<ExitCode> compact() {
        if (runs.session().isEmpty()) {
            ofSession(() -> {});
            return Optional.empty();
        }
        ChatRuns.Next plain = runs.of("");
        return end(
                new RunExecution(
                        plain.arguments(),
                        inChat(),
                        new SessionChoice.ToCompact(runs.session(), true)));
    }

    /** A task; otherwise as {@link #end}. */
    private Optional<ExitCode> run(ChatRuns.Next next) {
        RunExecution run = new RunExecution(next.arguments(), inChat(), next.session());
        run.facts().programGoesOn = true;
        Optional<ExitCode> end = end(run);
        ResultFacts facts = run.facts();
        begun = facts.run != null;
        if (begun) {
            String session = facts.journal.isEmpty() ? "" : facts.sessionId;
            boolean demo = DemoProject.isOne(Path.of(facts.workspace)); // whoever works there now
            runs.ran(session, facts.workspace, demo);
            if (session.isEmpty()) {
                streams.printError(NOT_KEPT);
            }
        }
        return end;
    }

    /** The exit code if the run was ended together with the whole program. */
    private Optional<ExitCode> end(RunExecution run) {
        goesOn = run.execute() == ExitCode.SUCCESS.code();
        return ended();
    }

    private Invocation inChat() {
        return screen == null ? invocation : invocation.in(screen);
    }

    private static Optional<ExitCode> ended() {
        return Signals.isProgramToEnd() ? Optional.of(ExitCode.INTERRUPTED) : Optional.empty();
    }

    /** While nothing runs there is nothing to stop: what ends the program leaves the terminal. */
    private Signals signals(LineEditor editor) {
        if (!invocation.ownsProcess()) {
            return Signals.none();
        }
        Signals.ForcedEnd leaving =
                new Signals.ForcedEnd() {
                    @Override
                    public void killChildren() {
                        editor.restore();
                    }

                    @Override
                    public void lastWords() {
                        farewell();
                    }
                };
        return Signals.betweenRuns(new Cancellation(), streams, leaving);
    }

    private void farewell() {
        if (!runs.session().isEmpty()) {
            streams.printError(
                    "The session is kept: agent chat --session " + runs.session() + "\n");
        }
    }
}
