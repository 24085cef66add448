package dev.agentloop.cli.run;

import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Signals;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.command.Version;
import dev.agentloop.cli.input.PromptReader;
import dev.agentloop.cli.setup.CassetteOptions;
import dev.agentloop.cli.setup.ResultFacts;
import dev.agentloop.cli.setup.RunTape;
import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.ConfigLoader;
import dev.agentloop.config.catalog.LocalServers;
import dev.agentloop.config.catalog.ModelCatalog;
import dev.agentloop.config.catalog.ModelChoice;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.control.Cancellation;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventFan;
import dev.agentloop.event.EventSink;
import dev.agentloop.event.RunSummary;
import dev.agentloop.event.Tally;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.schema.JsonSchema;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.Message;
import dev.agentloop.output.Level;
import dev.agentloop.permission.Circumstances;
import dev.agentloop.permission.NobodyToAsk;
import dev.agentloop.permission.Supervision;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.replay.ReplayTime;
import dev.agentloop.replay.ReplayingTape;
import dev.agentloop.replay.cassette.Cassette;
import dev.agentloop.replay.cassette.CassetteException;
import dev.agentloop.replay.cassette.CassetteHeader;
import dev.agentloop.replay.cassette.CassetteLine;
import dev.agentloop.replay.cassette.Difference;
import dev.agentloop.secret.MaskedEvents;
import dev.agentloop.secret.Secrets;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.NoJournal;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionStore;
import dev.agentloop.session.SessionSummary;
import dev.agentloop.tool.Person;
import dev.agentloop.wiring.AgentWiring;
import dev.agentloop.wiring.WiredRun;
import dev.agentloop.wiring.run.GuidancePlaces;
import dev.agentloop.wiring.run.McpServers;
import dev.agentloop.wiring.run.RunSetup;
import dev.agentloop.wiring.run.RunSurroundings;
import dev.agentloop.wiring.run.StructuredAnswer;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/**
 * {@code agent run --replay}: a recorded run once more, wholly from its cassette. The loop is the
 * real one, but no port of it is: nothing of this machine is read, asked, run or changed.
 */
final class ReplayRun {
    private final ParseResult arguments;
    private final Invocation invocation;
    private final Tally tally = new Tally();
    private final ResultFacts facts = new ResultFacts();
    private final Cancellation interrupts = new Cancellation();
    private @Nullable ReplayingTape tape;
    private Duration took = Duration.ZERO;

    ReplayRun(ParseResult arguments, Invocation invocation) {
        this.arguments = arguments;
        this.invocation = invocation;
    }

    int execute() {
        OutputOptions wishes = OutputOptions.of(arguments);
        ReplayTime time = new ReplayTime(this::now);
        RunOutput output = new RunOutput(invocation, wishes.forOutput(), interrupts, time);
        EventFan sinks = new EventFan(List.of(tally, output));
        EventSink events = new MaskedEvents(sinks, invocation.secrets());
        ResultReporter reporter =
                new ResultReporter(
                        tally, facts, output, events, invocation.secrets(), () -> took.toNanos());
        try {
            wishes.check();
            CassetteOptions.check(arguments, false);
            return replay(output, sinks, events, reporter);
        } catch (UsageException | CassetteException | ConfigException e) {
            return reporter.refuse(StopReason.CONFIG_ERROR, String.valueOf(e.getMessage()));
        } catch (LlmException.Unrecorded e) {
            return reporter.refuse(StopReason.LLM_ERROR, e.code(), String.valueOf(e.getMessage()));
        } catch (Exception | OutOfMemoryError | StackOverflowError e) {
            return reporter.bug(e);
        }
    }

    private Instant now() {
        return tape == null ? Instant.now() : tape.now();
    }

    private int replay(RunOutput output, EventFan sinks, EventSink events, ResultReporter reporter)
            throws UsageException, CassetteException, IOException {
        Path file = invocation.currentDirectory().resolve(RunOption.REPLAY.text(arguments));
        facts.cassette = new RunSummary.CassetteUse(file.toString(), "run");
        Cassette cassette = RunTape.whole(file);
        CassetteHeader header = cassette.header();
        if (RunOption.OUTPUT_FILE.isGiven(arguments)) {
            output.answerTo(
                    invocation.currentDirectory().resolve(RunOption.OUTPUT_FILE.text(arguments)));
        }
        RunSetup setup = setup(cassette);
        ReplayingTape playing =
                new ReplayingTape(
                        cassette, models(setup), interrupts, sinks, invocation.secrets()::mask);
        tape = playing;
        checkTask(header, playing);
        learn(cassette, setup);
        tellPerson(output, file, header);
        AgentWiring wiring =
                new AgentWiring(setup, around(setup.workspace(), playing), Version.text(), 0);
        try (WiredRun wired = wiring.wire()) {
            reporter.replays(wired);
            playing.drives(wired.agent().run().work());
            RunResult result =
                    RunTape.end(playing, wired.agent().execute(), events, tally.problems());
            took = cassette.end().orElseThrow().took();
            String signal =
                    result.stopReason() == StopReason.USER_INTERRUPT
                            ? Signals.nameOf(interrupts)
                            : "";
            return reporter.finish(reporter.verdict(result, signal));
        }
    }

    private void tellPerson(RunOutput output, Path file, CassetteHeader header) {
        if (OutputOptions.of(arguments).level().number() <= Level.HUMAN.number()) {
            List<String> idle = CassetteOptions.idle(arguments);
            output.console()
                    .print(
                            "replay: from %s, recorded %s; nothing is run, changed or spent%s\n"
                                    .formatted(
                                            file,
                                            header.recorded(),
                                            idle.isEmpty()
                                                    ? ""
                                                    : "; without effect: "
                                                            + String.join(", ", idle)));
        }
    }

    /** The task may be left out; another one is another run. So is another option. */
    private void checkTask(CassetteHeader header, ReplayingTape playing)
            throws UsageException, IOException {
        String given =
                new PromptReader(invocation.streams(), invocation.currentDirectory(), text -> text)
                        .read(arguments, false, true);
        String masked = invocation.secrets().mask(given);
        if (!given.isBlank() && !masked.equals(header.task())) {
            throw playing.mismatch(
                    "the beginning", Difference.of("the task", header.task(), masked));
        }
        Optional<Difference> difference =
                CassetteOptions.difference(arguments, header, invocation.secrets()::mask);
        if (difference.isPresent()) {
            throw playing.mismatch("the beginning", difference.get());
        }
    }

    private RunSetup setup(Cassette cassette) throws IOException, CassetteException {
        CassetteHeader header = cassette.header();
        Path folder = invocation.currentDirectory().toRealPath();
        AgentConfig config =
                ConfigLoader.only(cassette.name() + ", line 1, config", header.config(), folder)
                        .forAgent(header.agent());
        config = withModel(config, header);
        ModelChoice.Chosen model = chosen(config, header.model());
        List<ModelChoice.Chosen> fallbacks = new ArrayList<>();
        for (String id : config.llm().fallbackModels()) {
            boolean same = id.startsWith(model.model().info().provider() + "/");
            fallbacks.add(chosen(config.withModel(id, same), id));
        }
        Path nothing = folder.resolve(".nothing-of-this-machine");
        return new RunSetup(
                config,
                model,
                fallbacks,
                folder,
                header.task(),
                header.agent(),
                header.mixed(),
                header.dryRun(),
                header.stream(),
                "",
                new GuidancePlaces(nothing, folder, nothing, Optional.empty()),
                answer(cassette),
                header.images(),
                earlier(cassette),
                model.protocol() == AgentConfig.Protocol.EMBEDDED);
    }

    /** At the server that the recorded command line named, which no configuration knows. */
    private static AgentConfig withModel(AgentConfig config, CassetteHeader header) {
        return header.baseUrl().isEmpty()
                ? config.withModel(header.model(), true)
                : config.withModel(header.model(), server(header.baseUrl()));
    }

    /** A secret in it is masked, and perhaps no part of a URL any more; nobody is asked there. */
    private static URI server(String recorded) {
        try {
            return new URI(recorded);
        } catch (URISyntaxException e) {
            return URI.create("http://recorded.invalid");
        }
    }

    private static ModelChoice.Chosen chosen(AgentConfig config, String id)
            throws CassetteException {
        return switch (ModelChoice.of(config, Map.of(), LocalServers.NONE)) {
            case ModelChoice.Chosen chosen -> chosen;
            case ModelChoice.None _ ->
                    throw new CassetteException("the cassette names the model " + id);
        };
    }

    private static Optional<StructuredAnswer> answer(Cassette cassette) throws CassetteException {
        String schema = cassette.header().answerSchema();
        try {
            return schema == null
                    ? Optional.empty()
                    : Optional.of(new StructuredAnswer(JsonSchema.of(schema)));
        } catch (JsonException | IllegalArgumentException e) {
            throw new CassetteException(
                    cassette.name()
                            + ", line 1: answer_schema is no JSON schema: "
                            + e.getMessage());
        }
    }

    /** A session as far as the costs and estimates of a run depend on it. */
    private static Optional<SessionStore.Reopened> earlier(Cassette cassette) {
        CassetteHeader header = cassette.header();
        CassetteHeader.Earlier old = header.earlier();
        if (old == null) {
            return Optional.empty();
        }
        List<Message> history =
                cassette.lines().stream()
                        .filter(CassetteLine.Opened.class::isInstance)
                        .map(line -> ((CassetteLine.Opened) line).history())
                        .findFirst()
                        .orElse(List.of());
        SavedSession session =
                new SavedSession(
                        summary(header),
                        history,
                        history,
                        0,
                        0,
                        old.usage(),
                        old.usd(),
                        List.of(),
                        0,
                        List.of(),
                        List.of(),
                        0,
                        List.of(),
                        List.of(),
                        List.of(),
                        Map.of(),
                        JournalRecord.Capped.NOTHING,
                        JournalRecord.Terms.UNKNOWN,
                        header.model(),
                        false,
                        new SavedSession.Measure(old.estimate(), old.counted()),
                        new SavedSession.Held(old.heldTokens(), old.heldUsd(), ""));
        return Optional.of(new SessionStore.Reopened(new NoJournal(), session));
    }

    private static SessionSummary summary(CassetteHeader header) {
        return new SessionSummary(
                header.sessionId(),
                header.recorded(),
                header.recorded(),
                "",
                header.model(),
                header.agent(),
                "",
                "",
                0);
    }

    private static Map<String, ModelInfo> models(RunSetup setup) {
        Map<String, ModelInfo> models = new HashMap<>();
        for (ModelCatalog.Entry entry : entries(setup)) {
            models.put(entry.info().id(), entry.info());
        }
        return models;
    }

    private static List<ModelCatalog.Entry> entries(RunSetup setup) {
        List<ModelCatalog.Entry> entries = new ArrayList<>(List.of(setup.model().model()));
        setup.fallbacks().forEach(fallback -> entries.add(fallback.model()));
        return entries;
    }

    private void learn(Cassette cassette, RunSetup setup) throws UsageException {
        CassetteHeader header = cassette.header();
        Map<String, List<String>> options = header.options();
        facts.sessionId = header.sessionId();
        facts.agent = header.agent();
        facts.model = header.model();
        facts.answer = setup.answer().orElse(null);
        facts.resumed = header.earlier() != null;
        facts.strictDenials =
                RunOption.STRICT_DENIALS.isGiven(arguments)
                        || options.containsKey(RunOption.STRICT_DENIALS.longName());
        facts.onPartial = onPartial(options);
        entries(setup).forEach(facts::learn);
        for (CassetteLine line : cassette.lines()) {
            if (line instanceof CassetteLine.Event(_, AgentEvent.SessionStarted started)) {
                facts.workspace = started.workspace();
                facts.sandbox = started.sandbox();
            }
        }
    }

    private int onPartial(Map<String, List<String>> options) throws UsageException {
        List<String> recorded = options.getOrDefault(RunOption.ON_PARTIAL.longName(), List.of());
        if (RunOption.ON_PARTIAL.isGiven(arguments) || recorded.size() != 1) {
            return OutputOptions.exitCodeOnPartial(arguments);
        }
        try {
            return Math.clamp(Integer.parseInt(recorded.getFirst()), 0, 255);
        } catch (NumberFormatException e) {
            return ExitCode.PARTIAL.code();
        }
    }

    /** Nothing in it can do anything: no person, no environment, no server, no trust. */
    private RunSurroundings around(Path folder, ReplayingTape playing) {
        ProcessRunner stopped = new ProcessRunner(Map.of(), List.of());
        stopped.killAll(); // from here on it starts nothing
        return new RunSurroundings(
                playing,
                new NobodyToAsk(),
                Person.NOBODY,
                interrupts,
                new ReplayTime(playing::now),
                new NoJournal(),
                stopped,
                Map.of(),
                Secrets.ofValues(Map.of()),
                false,
                Circumstances.plain(Supervision.UNATTENDED, folder),
                List.of(),
                McpServers.NONE,
                playing);
    }
}
