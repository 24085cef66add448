package dev.agentloop.cli.session;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.CommandProblem;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.terminal.Streams;
import dev.agentloop.output.SafeText;
import dev.agentloop.replay.cassette.Cassette;
import dev.agentloop.replay.cassette.CassetteException;
import dev.agentloop.replay.cassette.CassetteReader;
import dev.agentloop.replay.view.StepJson;
import dev.agentloop.replay.view.StepView;
import dev.agentloop.replay.view.StepViews;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionException;
import dev.agentloop.wiring.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent replay}: a recorded run, step by step, for people and programs. */
public final class ReplayCommand implements Command {
    private static final String ID = "0[0-9A-Za-z]{0,25}"; // or the beginning of one

    /** A run to be shown, and what is to be said beside it. */
    private record Shown(String head, List<StepView> steps, String foot, String note) {}

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "replay",
                        "Show a recorded run step by step: a cassette of --record, or a session."
                                + " Nothing is run.");
        spec.addOption(Specs.value("N", "Only this step.", "--step"));
        spec.addOption(Specs.value("N", "From this step on.", "--from"));
        spec.addOption(Specs.flag("One JSON object a step.", "--json"));
        spec.addPositional(Specs.words("CASSETTE|SESSION", "A file, or the ID of a session."));
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        List<String> words = Specs.positional(arguments);
        if (words.size() != 1 || words.getFirst().isEmpty()) {
            throw new UsageException("write agent replay CASSETTE or agent replay SESSION.");
        }
        if (!Specs.text(arguments, "--step").isEmpty()
                && !Specs.text(arguments, "--from").isEmpty()) {
            throw new UsageException("--step and --from contradict each other. Leave one out.");
        }
        int only = number(arguments, "--step");
        int from = number(arguments, "--from");
        try {
            Shown shown = find(words.getFirst(), invocation);
            List<StepView> chosen =
                    shown.steps().stream()
                            .filter(step -> only < 0 || step.number() == only)
                            .filter(step -> step.number() >= from)
                            .toList();
            if (chosen.isEmpty() && (only >= 0 || from > 0)) {
                throw new UsageException(
                        "there is no step %d; the last is %d."
                                .formatted(Math.max(only, from), last(shown.steps())));
            }
            boolean whole = only < 0 && from <= 0;
            print(arguments, invocation, shown, chosen, whole);
            return ExitCode.SUCCESS.code();
        } catch (CassetteException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        } catch (SessionException e) {
            return CommandProblem.of(e)
                    .report(invocation.streams(), Specs.has(arguments, "--json"));
        }
    }

    private static void print(
            ParseResult arguments,
            Invocation invocation,
            Shown shown,
            List<StepView> chosen,
            boolean whole)
            throws IOException {
        Streams streams = invocation.streams();
        if (!shown.note().isEmpty()) {
            streams.printError("note: " + SafeText.block(shown.note()) + "\n");
        }
        boolean json = Specs.has(arguments, "--json");
        if (whole && !json) {
            streams.print(shown.head());
        }
        for (StepView step : chosen) {
            streams.print(json ? StepJson.of(step) : ReplayText.of(step));
        }
        if (whole && !json) {
            streams.print(shown.foot());
        }
    }

    private static int last(List<StepView> steps) {
        return steps.isEmpty() ? 0 : steps.getLast().number();
    }

    private static int number(ParseResult arguments, String option) throws UsageException {
        String text = Specs.text(arguments, option);
        if (text.isEmpty()) {
            return -1;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new UsageException(option + " " + text + ": give the number of a step.");
        }
        throw new UsageException(option + " " + text + ": give the number of a step.");
    }

    private static Shown find(String name, Invocation invocation)
            throws CassetteException, SessionException {
        Optional<Path> file = file(name, invocation.currentDirectory());
        if (file.isPresent()) {
            return ofCassette(CassetteReader.read(file.get()));
        }
        Path sessions = invocation.sessions();
        if (!name.matches(ID)) {
            throw new CassetteException(
                    "There is neither a file "
                            + name
                            + " in "
                            + invocation.currentDirectory()
                            + " nor a session of that name in "
                            + sessions
                            + ". agent sessions list --all shows the ids of sessions.");
        }
        return ofSession(Sessions.store(sessions, null).read(name));
    }

    private static Optional<Path> file(String name, Path directory) {
        try {
            Path file = directory.resolve(name);
            boolean named = name.contains("/") || Files.exists(file);
            return named ? Optional.of(file) : Optional.empty();
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private static Shown ofCassette(Cassette cassette) {
        String note =
                cassette.end().isPresent()
                        ? ""
                        : cassette.name()
                                + " is not whole: the run that was recorded never ended. This is"
                                + " what there is.";
        return new Shown(
                ReplayText.head(cassette.header()),
                StepViews.of(cassette),
                cassette.end().map(ReplayText::foot).orElse(""),
                note);
    }

    private static Shown ofSession(SavedSession session) {
        return new Shown(
                ReplayText.head(session),
                StepViews.of(session.transcript()),
                ReplayText.foot(session),
                String.join("\n", session.notes()));
    }
}
