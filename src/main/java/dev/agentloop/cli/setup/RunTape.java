package dev.agentloop.cli.setup;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.command.Version;
import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.AgentProfile;
import dev.agentloop.config.LoadedConfig;
import dev.agentloop.control.Time;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventFan;
import dev.agentloop.event.EventSink;
import dev.agentloop.event.RunSummary;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.replay.ModelTape;
import dev.agentloop.replay.RecordingTape;
import dev.agentloop.replay.Tape;
import dev.agentloop.replay.cassette.Cassette;
import dev.agentloop.replay.cassette.CassetteException;
import dev.agentloop.replay.cassette.CassetteHeader;
import dev.agentloop.replay.cassette.CassetteLine;
import dev.agentloop.replay.cassette.CassetteReader;
import dev.agentloop.replay.cassette.CassetteWriter;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.SavedSession;
import dev.agentloop.wiring.run.RunSetup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** The cassette that a real run records, or has its model's answers from; mostly there is none. */
public final class RunTape implements AutoCloseable {
    private final ParseResult arguments;
    private final Invocation invocation;
    private final Path file;
    private @Nullable Cassette cassette;
    private @Nullable RecordingTape recording;
    private @Nullable CassetteWriter writer;
    private @Nullable ResultFacts told;
    private Tape tape = Tape.NONE;

    private RunTape(ParseResult arguments, Invocation invocation, Path file) {
        this.arguments = arguments;
        this.invocation = invocation;
        this.file = file;
    }

    /** Refuses an agent that a cassette cannot hold. */
    void check(AgentConfig config, String agent) throws UsageException {
        if (config.agent(agent).flatMap(AgentProfile::switchTo).isPresent()) {
            throw new UsageException(
                    "--record, --replay-model: the agent "
                            + agent
                            + " hands over to others (switch_to), which a cassette cannot hold.");
        }
    }

    /**
     * Reads the cassette that answers for the model, if there is one.
     *
     * @param options of the configuration; the recorded model is added where none is named
     * @return null where the command line names no cassette
     */
    static @Nullable RunTape of(
            ParseResult arguments, Invocation invocation, Map<String, List<String>> options)
            throws UsageException {
        boolean records = RunOption.RECORD.isGiven(arguments);
        if (!records && !RunOption.REPLAY_MODEL.isGiven(arguments)) {
            return null;
        }
        RunOption option = records ? RunOption.RECORD : RunOption.REPLAY_MODEL;
        Path file = invocation.currentDirectory().resolve(option.text(arguments));
        RunTape found = new RunTape(arguments, invocation, file);
        try {
            if (records) {
                CassetteWriter.checkPlace(file);
            } else {
                found.read(options);
            }
        } catch (CassetteException e) {
            throw new UsageException(option.longName() + ": " + e.getMessage());
        }
        return found;
    }

    private void read(Map<String, List<String>> options) throws CassetteException {
        Cassette read = whole(file);
        cassette = read;
        options.putIfAbsent("llm.model", List.of(read.header().model()));
    }

    /** A cassette of a run that has ended. */
    public static Cassette whole(Path file) throws CassetteException {
        Cassette cassette = CassetteReader.read(file);
        if (cassette.end().isEmpty()) {
            throw new CassetteException(
                    file
                            + " is not whole: the run that was recorded never ended (line "
                            + (cassette.lines().size() + 1)
                            + " is the last). agent replay shows what there is; record it again.");
        }
        return cassette;
    }

    /** Whether no server is needed, and so no key. */
    boolean replaysModel() {
        return cassette != null;
    }

    /** What is told before the run is set up belongs to the cassette, too. */
    public void listen(EventFan events, Time time, ResultFacts facts) {
        told = facts;
        if (!replaysModel()) {
            recording = new RecordingTape(time::now);
            events.add(recording);
            tape = recording;
        }
    }

    /** The run is set up: from here on all is recorded, or the model answered. */
    public static Tape begin(
            RunPreparation preparation,
            RunSetup setup,
            LoadedConfig config,
            Journal journal,
            Time time)
            throws IOException {
        RunTape tape = preparation.tape().orElse(null);
        if (tape == null) {
            return Tape.NONE;
        }
        tape.begin(setup, config, journal.sessionId(), time);
        Objects.requireNonNull(tape.told).cassette =
                new RunSummary.CassetteUse(
                        tape.file.toString(), tape.replaysModel() ? "model" : "");
        return tape.tape;
    }

    private void begin(RunSetup setup, LoadedConfig config, String sessionId, Time time)
            throws IOException {
        Map<String, String> places = places(setup.workspace(), sessionId);
        if (cassette != null) {
            ModelInfo first = setup.model().model().info();
            tape = new ModelTape(cassette, first, invocation.secrets()::mask, places);
        }
        if (recording == null) {
            return;
        }
        try {
            CassetteHeader header = header(setup, config, sessionId, time, places);
            writer = CassetteWriter.create(file, header, invocation.secrets()::mask);
            recording.begin(writer);
        } catch (CassetteException e) {
            throw new IOException("--record: " + e.getMessage()); // it was writable a moment ago
        }
    }

    private Map<String, String> places(Path workspace, String sessionId) {
        String temp = invocation.variable("TMPDIR");
        Map<String, String> places = new LinkedHashMap<>();
        places.put("workspace", workspace.toString());
        places.put("home", invocation.home().toString());
        places.put("temp", temp.isEmpty() ? System.getProperty("java.io.tmpdir") : temp);
        places.put("session", sessionId);
        return places;
    }

    private CassetteHeader header(
            RunSetup setup,
            LoadedConfig config,
            String sessionId,
            Time time,
            Map<String, String> places) {
        return new CassetteHeader(
                CassetteHeader.FORMAT,
                CassetteHeader.VERSION,
                Version.text(),
                time.now(),
                sessionId,
                setup.prompt(),
                setup.model().model().info().id(),
                setup.config().llm().baseUrl().map(Object::toString).orElse(""),
                setup.agent(),
                setup.mixed(),
                setup.dryRun(),
                setup.stream(),
                config.document(),
                CassetteOptions.deciding(arguments),
                setup.answer().map(answer -> answer.schema().text()).orElse(null),
                setup.images(),
                setup.reopened().map(old -> earlier(old.session(), setup)).orElse(null),
                places);
    }

    private static CassetteHeader.Earlier earlier(SavedSession old, RunSetup setup) {
        boolean same = old.summary().model().equals(setup.model().model().info().id());
        SavedSession.Measure measure = same ? old.measure() : SavedSession.Measure.NONE;
        return new CassetteHeader.Earlier(
                old.usage(),
                old.usd(),
                old.held().tokens(),
                old.held().usd(),
                measure.estimate(),
                measure.counted());
    }

    /** The run's result: one that is not the recorded run has failed, whatever came of it. */
    public RunResult end(RunResult result, EventSink events, List<RunSummary.Problem> problems) {
        return end(tape, result, events, problems);
    }

    /** The same for any tape. */
    public static RunResult end(
            Tape tape, RunResult run, EventSink events, List<RunSummary.Problem> problems) {
        RunResult result = tape.end(run);
        String code = "replay_mismatch";
        Optional<String> missed = tape.mismatch();
        if (missed.isPresent() && problems.stream().noneMatch(it -> it.code().equals(code))) {
            events.emit(new AgentEvent.Failed(code, missed.get(), true, false));
        }
        return result;
    }

    /** Why the cassette is not whole; empty if it is, or if none is recorded. */
    public Optional<String> trouble() {
        return writer == null || writer.failure().isEmpty()
                ? Optional.empty()
                : Optional.of("the cassette is not complete: " + writer.failure());
    }

    /** The result is out: the cassette is whole. */
    public void ended(JournalRecord.Ended end) {
        if (recording != null) {
            recording.write(
                    new CassetteLine.Ended(
                            end.status(),
                            end.stopReason(),
                            end.exitCode(),
                            end.steps(),
                            Duration.ofMillis(end.millis())));
        }
    }

    @Override
    public void close() {
        if (writer != null) {
            writer.close();
        }
    }
}
