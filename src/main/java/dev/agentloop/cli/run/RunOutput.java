package dev.agentloop.cli.run;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.OutputFormat;
import dev.agentloop.cli.command.Signals;
import dev.agentloop.cli.terminal.ChatScreen;
import dev.agentloop.cli.terminal.ErrorConsole;
import dev.agentloop.cli.terminal.IoErrorText;
import dev.agentloop.cli.terminal.LivePlan;
import dev.agentloop.cli.terminal.LiveStatus;
import dev.agentloop.cli.terminal.Logs;
import dev.agentloop.cli.terminal.Screen;
import dev.agentloop.cli.terminal.Streams;
import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.control.Time;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.event.RunSummary;
import dev.agentloop.markdown.MarkdownStream;
import dev.agentloop.markdown.TextFlow;
import dev.agentloop.output.EndLines;
import dev.agentloop.output.HumanRenderer;
import dev.agentloop.output.JsonLines;
import dev.agentloop.output.Level;
import dev.agentloop.output.LogFile;
import dev.agentloop.output.ResultJson;
import dev.agentloop.output.SafeText;
import dev.agentloop.output.Style;
import dev.agentloop.output.TechnicalLog;
import dev.agentloop.output.WorkLog;
import dev.agentloop.secret.Secrets;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a run's events and its result go. Standard output carries the result, once, and nothing
 * else (or event lines, of which the result is the last); everything for people goes to standard
 * error.
 */
final class RunOutput implements EventSink {
    private static final int LIVE_LINES = 5; // of a command's output
    private static final long READER_SECONDS = 10; // for what reads the answer from a pipe

    private final Streams streams;
    private final OutputFormat format;
    private final Cancellation interrupts;
    private final List<EventSink> sinks = new ArrayList<>();
    private final boolean liveText;
    private final Screen screen;
    private final @Nullable ChatScreen chat;
    private final Supplier<Style> readable; // of the answer
    private final boolean showsEverything;
    private final boolean quiet;
    private final Secrets secrets;
    private final ErrorConsole console;
    private @Nullable LogFile logFile;
    private @Nullable Path outputFile;
    private volatile boolean outputLost;
    private volatile boolean pipeBroken;
    private final boolean showsWork;
    private volatile IntFunction<String> running = _ -> "";
    private volatile Supplier<List<String>> plan = List::of;
    private boolean complained;
    private boolean finished;

    /**
     * What the user wants to see.
     *
     * @param level from this level on; HUMAN shows the human log, WARN and ERROR only trouble
     * @param logFormat plain or classic; empty for what suits the place of the log
     */
    public record Wishes(OutputFormat format, Level level, boolean streamText, String logFormat) {
        /** Whether the log is in a person's words; who asks for details sees the steps as well. */
        boolean showsWork(boolean atTerminal) {
            boolean suits = atTerminal && level == Level.HUMAN;
            return logFormat.isEmpty() ? suits : logFormat.equals("plain");
        }
    }

    RunOutput(Invocation invocation, Wishes wishes, Cancellation interrupts, Time time) {
        this.streams = invocation.streams();
        this.secrets = invocation.secrets();
        this.format = wishes.format();
        this.interrupts = interrupts;
        this.quiet = wishes.level().number() > Level.HUMAN.number();
        this.showsEverything = wishes.level() == Level.DEBUG;
        this.liveText = wishes.streamText() && format == OutputFormat.TEXT && !quiet;
        if (format == OutputFormat.STREAM_JSON) {
            sinks.add(new JsonLines(this::writeOut, time::now));
        }
        this.readable = () -> invocation.style(true);
        this.screen = invocation.screen();
        this.chat = invocation.chat();
        Style style = invocation.style(streams.errIsTerminal());
        LiveStatus status = new LiveStatus();
        boolean draws = mayDraw(invocation, wishes);
        this.console = new ErrorConsole(streams, draws, live(status, style));
        this.showsWork = wishes.showsWork(streams.errIsTerminal());
        EventSink human = human(style, draws);
        sinks.add(status);
        if (chat != null) {
            sinks.add(chat.footer());
            sinks.add(chat.results());
        }
        sinks.add(event -> show(event, human, wishes.level()));
        if (wishes.level().number() <= Level.INFO.number()) {
            sinks.add(new TechnicalLog(Logs.console(wishes.level(), streams)));
        }
    }

    private EventSink human(Style style, boolean draws) {
        if (!showsWork) {
            return new HumanRenderer(console::print, style, liveText);
        }
        WorkLog log =
                new WorkLog(
                        console::print,
                        style,
                        liveText,
                        this::columns,
                        chat == null ? "" : draws ? ChatScreen.UNFOLD : ChatScreen.UNFOLD_BY_WORD);
        if (!draws) {
            return log;
        }
        LivePlan withPlan = new LivePlan(log, style);
        plan = withPlan::lines;
        return withPlan;
    }

    /** The newest lines of what runs, and below them the plan. */
    private List<String> liveLines() {
        List<String> lines =
                new ArrayList<>(ErrorConsole.shown(running.apply(LIVE_LINES), secrets));
        plan.get().forEach(step -> lines.add(secrets.mask(step)));
        return lines;
    }

    private ErrorConsole.Live live(LiveStatus status, Style style) {
        return new ErrorConsole.Live(
                chat == null ? status : status::doing,
                this::liveLines,
                this::columns,
                style.colour());
    }

    /**
     * What a person sees below the log while it runs.
     *
     * @param lines the newest ones of the command that is waited for, at most so many
     */
    void showWhileRunning(IntFunction<String> lines) {
        running = lines;
    }

    private static boolean mayDraw(Invocation invocation, Wishes wishes) {
        return invocation.streams().errIsTerminal()
                && wishes.level() == Level.HUMAN
                && invocation.variable("CI").isEmpty()
                && !invocation.variable("TERM").equals("dumb");
    }

    /**
     * In a chat the person may type from now on.
     *
     * @param window tokens that the model's window holds; 0 where nobody knows
     */
    void letType(Signals signals, int window) {
        if (chat != null) {
            chat.footer().begin(window);
            console.letType(
                    chat.line(),
                    signals::interrupt,
                    () -> {
                        signals.takeInterruptAgain();
                        Screen.ofProcess(); // hears again that it was resized
                    });
        }
    }

    /** Columns of the terminal, which tells one listener alone that it was resized. */
    private int columns() {
        return chat != null && chat.line().isOpen() ? chat.line().columns() : screen.columns();
    }

    /** Where questions are asked. */
    ErrorConsole console() {
        return console;
    }

    /** Everything goes to this file as well. */
    void logTo(LogFile file) {
        logFile = file;
        sinks.add(file);
    }

    /** The final answer goes to this file as well. */
    void answerTo(Path file) {
        outputFile = file;
    }

    @Override
    public synchronized void emit(AgentEvent event) {
        if (finished) {
            return; // a tool that outlived the run has nothing more to say
        }
        finished = event instanceof AgentEvent.Finished;
        for (EventSink sink : sinks) {
            sink.emit(event);
        }
        if (event instanceof AgentEvent.Finished(RunSummary summary)) {
            finish(summary);
        }
    }

    /** Whether standard output could not be written. */
    boolean isLost() {
        return outputLost;
    }

    /** Whether it was a pipe whose reader went away. */
    boolean isPipe() {
        return pipeBroken;
    }

    /** In a chat the person knows which key was pressed. */
    void tellStop(String signal) {
        boolean key = chat != null && signal.equals("SIGINT");
        console.print(key ? "\nStopping (once more: at once)\n" : Signals.stopping(signal));
    }

    /** Says on standard error why the run does not begin: two lines for the person. */
    void complain(String message) {
        String text = "agent: " + SafeText.block(message) + "\n";
        console.print(screen == Screen.UNKNOWN ? text : TextFlow.wrapped(text, columns()));
        complained = true;
    }

    /** Writes the stack trace of our own bug to the log file, if there is one: then true. */
    boolean logBug(Throwable bug) {
        StringWriter written = new StringWriter();
        bug.printStackTrace(new PrintWriter(written));
        String trace = secrets.mask(written.toString());
        if (showsEverything) {
            console.print(SafeText.block(trace));
        }
        if (logFile != null) {
            logFile.bug(secrets.mask(String.valueOf(bug.getMessage())), trace);
        }
        return logFile != null;
    }

    private void show(AgentEvent event, EventSink human, Level from) {
        if (complained) {
            return; // the complaint has said it all
        }
        boolean partOfHumanLog =
                event instanceof AgentEvent.TextDelta
                        || event instanceof AgentEvent.ToolProgress
                        || showsWork
                                && (event instanceof AgentEvent.EditApplied
                                        || event instanceof AgentEvent.SessionStarted);
        Level level = partOfHumanLog ? Level.HUMAN : Level.of(event);
        if (level.number() >= from.number()) {
            human.emit(event);
        }
    }

    private void finish(RunSummary summary) {
        if (format == OutputFormat.TEXT) {
            explainSilence(summary);
        }
        console.close();
        switch (format) {
            case JSON -> {
                byte[] json = ResultJson.bytes(summary);
                byte[] line = java.util.Arrays.copyOf(json, json.length + 1);
                line[json.length] = '\n';
                writeOut(line);
            }
            case TEXT -> printAnswer(summary);
            case STREAM_JSON -> {} // the event line was the result
        }
        if (logFile != null) {
            logFile.close();
        }
    }

    /** On one terminal the answer has just been shown live; a second copy would only confuse. */
    private void printAnswer(RunSummary summary) {
        boolean shown =
                liveText
                        && streams.outIsTerminal()
                        && streams.errIsTerminal()
                        && summary.steps() > 0 // else it is ours: what became of /compact
                        && summary.stopReason().equals("llm_done");
        boolean ours = summary.stopReason().equals("user_interrupt"); // no answer but our own words
        if (shown || ours || summary.text().isEmpty() || summary.status().equals("failed")) {
            return;
        }
        String text = streams.outIsTerminal() ? readable(summary.text()) : summary.text();
        writeOut((text.stripTrailing() + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private String readable(String answer) {
        String safe = SafeText.block(answer);
        if (!showsWork) {
            return safe;
        }
        MarkdownStream markdown = WorkLog.markdown(readable.get(), screen::columns);
        return markdown.add(safe) + markdown.end();
    }

    /** Even who wants no progress must learn why there is no answer. */
    private void explainSilence(RunSummary summary) {
        boolean nothingSaid = summary.text().isBlank() && summary.errors().isEmpty();
        if (quiet && !complained && nothingSaid && summary.exitCode() != 0) {
            console.print("agent: " + EndLines.reason(summary) + "\n");
        }
    }

    private static String whole(String text) {
        return text.endsWith("\n") ? text : text + "\n";
    }

    /** Writes the answer to its file, if one was asked for; returns what went wrong, or nothing. */
    Optional<String> keepAnswer(String text) {
        if (outputFile == null) {
            return Optional.empty();
        }
        Path half = outputFile.resolveSibling(outputFile.getFileName() + ".part");
        try {
            if (Files.exists(outputFile) && !Files.isRegularFile(outputFile)) {
                toPipe(outputFile, whole(text));
                return Optional.empty();
            }
            Files.writeString(half, whole(text));
            Files.move(half, outputFile, StandardCopyOption.REPLACE_EXISTING);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(
                    "--output-file " + outputFile + " cannot be written: " + IoErrorText.of(e));
        }
    }

    /** A device or a pipe takes it as it comes; for somebody who reads it the run waits a while. */
    private static void toPipe(Path pipe, String text) throws IOException {
        CompletableFuture<Void> written = new CompletableFuture<>();
        Thread.ofPlatform()
                .daemon()
                .name("output file")
                .start(() -> {
                    try {
                        Files.writeString(pipe, text);
                        written.complete(null);
                    } catch (IOException e) {
                        written.completeExceptionally(e);
                    }
                });
        try {
            written.orTimeout(READER_SECONDS, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof IOException failed
                    ? new IOException(IoErrorText.of(failed), failed)
                    : new IOException("nobody reads it", e);
        }
    }

    /** The first failed write ends the run: nobody would see what it costs from here on. */
    private void writeOut(byte[] bytes) {
        if (outputLost) {
            return;
        }
        try {
            streams.out().write(bytes);
            streams.out().flush();
        } catch (IOException e) {
            outputLost = true;
            boolean pipe = String.valueOf(e.getMessage()).contains("Broken pipe");
            pipeBroken = pipe;
            interrupts.cancel(new Cause.OutputLost(pipe));
            streams.printError("cannot write output: " + e.getMessage() + "\n");
        }
    }
}
