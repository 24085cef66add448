package dev.agentloop.cli.setup;

import dev.agentloop.cli.command.AuthException;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.OptionSettings;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.input.CommandCall;
import dev.agentloop.cli.input.PromptReader;
import dev.agentloop.cli.input.RunInputs;
import dev.agentloop.cli.resume.EarlierMessages;
import dev.agentloop.cli.resume.EarlierSession;
import dev.agentloop.cli.resume.ResumedPermissions;
import dev.agentloop.cli.resume.SessionCaps;
import dev.agentloop.cli.resume.SessionChoice;
import dev.agentloop.cli.resume.SessionWishes;
import dev.agentloop.cli.workspace.DemoFolder;
import dev.agentloop.cli.workspace.ProjectFiles;
import dev.agentloop.cli.workspace.RunFolders;
import dev.agentloop.cli.workspace.RunSandbox;
import dev.agentloop.cli.workspace.WorkspaceTrust;
import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.ConfigLoader;
import dev.agentloop.config.ConfigSources;
import dev.agentloop.config.LoadedConfig;
import dev.agentloop.config.catalog.ModelChoice;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.config.source.ProjectStanding;
import dev.agentloop.durable.gate.GatedStore;
import dev.agentloop.output.SafeText;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionException;
import dev.agentloop.session.SessionStore;
import dev.agentloop.skill.SkillPlaces;
import dev.agentloop.trust.KeyHosts;
import dev.agentloop.wiring.Policies;
import dev.agentloop.wiring.Profile;
import dev.agentloop.wiring.SandboxChoice;
import dev.agentloop.wiring.Sessions;
import dev.agentloop.wiring.Tools;
import dev.agentloop.wiring.run.RunSetup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** Finds out what a command line asks for, and refuses what cannot be, before anything starts. */
public final class RunPreparation {
    public static final String USUAL_AGENT = "build";
    private static final String MIXED = "mixed"; // agent of a mixed run that still plans
    private static final String GO_ON = "Continue with the task.";

    private final ParseResult arguments;
    private final Invocation invocation;
    private final SessionChoice choice;
    private final SessionWishes wishes;
    private ResumedPermissions terms;
    private @Nullable SavedSession earlier; // without its messages
    private EarlierMessages words = EarlierMessages.NONE;
    private String chosenModel;
    private boolean serverIsOfSession;
    private @Nullable WorkspaceTrust trust;
    private @Nullable ProjectFiles files;
    private Optional<JournalRecord.Capped> caps = Optional.empty();
    private @Nullable RunTape tape;
    private @Nullable SandboxChoice chosen;

    public RunPreparation(ParseResult arguments, Invocation invocation, SessionChoice choice) {
        this.arguments = arguments;
        this.invocation = invocation;
        this.choice = choice;
        this.wishes = SessionWishes.of(arguments);
        this.terms = new ResumedPermissions(arguments, null, text -> text);
        this.chosenModel =
                RunOption.MODEL.isGiven(arguments)
                        ? RunOption.MODEL.text(arguments)
                        : invocation.variable("AGENT_MODEL");
    }

    /** The model as far as it is known by now; empty before anybody has named one. */
    public String chosenModel() {
        return chosenModel;
    }

    /**
     * What was found out.
     *
     * @param showsImages whether there are any, of this command line or earlier in the session
     * @param reopenId the session that goes on
     */
    public record Prepared(
            AgentConfig config,
            ModelChoice.Chosen model,
            List<ModelChoice.Chosen> fallbacks,
            Path workspace,
            String prompt,
            RunInputs inputs,
            boolean showsImages,
            String agent,
            SessionStore store,
            Optional<String> reopenId,
            boolean keepSession,
            SandboxChoice sandbox) {

        /** What to tell the person about models that will not see the images. */
        public List<String> blindModels() {
            return !showsImages
                    ? List.of()
                    : Stream.concat(Stream.of(model), fallbacks.stream())
                            .map(chosen -> chosen.model().info())
                            .filter(info -> !info.capabilities().images())
                            .map(info ->
                                    info.id()
                                            + " takes no images: it is only told that there was one"
                                            + " (choose another --model, or correct"
                                            + " capabilities.images in the configuration)")
                            .toList();
        }
    }

    /** The configuration; a session that goes on keeps its workspace and model unless told. */
    public LoadedConfig load() throws SessionException, UsageException, IOException {
        Map<String, List<String>> options = new LinkedHashMap<>(OptionSettings.of(arguments));
        wishes.check(choice);
        earlier = new EarlierSession(arguments, invocation, store(null)).find(choice, wishes);
        if (earlier != null) {
            words = EarlierMessages.of(earlier);
            earlier = earlier.withoutMessages();
            serverIsOfSession = EarlierSession.continueAs(earlier, options);
        }
        terms = new ResumedPermissions(arguments, earlier, invocation.secrets()::mask);
        SessionCaps.add(arguments, earlier, options);
        caps = SessionCaps.of(options);
        tape = RunTape.of(arguments, invocation, options);
        ConfigSources sources = sources(arguments, invocation, options);
        List<String> swept = RunSandbox.sweep(invocation, ConfigLoader.workspace(sources));
        trust = trust(sources);
        files = ProjectFiles.of(arguments, invocation, ConfigLoader.workspace(sources), trust);
        LoadedConfig loaded = ConfigLoader.load(sources.with(files.standing())).warning(swept);
        chosenModel = loaded.config().llm().model().orElse(chosenModel);
        return loaded.warning(RunFolders.notes(loaded.config()));
    }

    /** The cassette of the run, mostly none; known after {@link #load}. */
    public Optional<RunTape> tape() {
        return Optional.ofNullable(tape);
    }

    /** What the command lines of the session cap; known after {@link #load}. */
    public Optional<JournalRecord.Capped> caps() {
        return caps;
    }

    /** What the session may do, and what has changed; known after {@link #prepare}. */
    public ResumedPermissions terms() {
        return terms;
    }

    /** After the last command. A session that was waited for and not taken up is free again. */
    public void giveUp() {
        if (chosen != null) {
            chosen.close();
        }
        if (!(choice instanceof SessionChoice.Fresh)) {
            store(null).dropClaims();
        }
    }

    /** How the session is to be taken up. */
    public SessionWishes wishes() {
        return wishes;
    }

    /** What was decided about the workspace; known after {@link #load}. */
    public WorkspaceTrust trust() {
        return Objects.requireNonNull(trust);
    }

    /** The demo works on a project of its own, and whoever is not there cannot be asked. */
    private WorkspaceTrust trust(ConfigSources sources) throws IOException {
        WorkspaceTrust found = trust(arguments, invocation, sources);
        boolean demo = chosenModel.startsWith("demo/");
        if (!invocation.isHeadless() && !demo && !choice.trustIsAsked()) {
            found.ask(invocation.question());
        }
        return found;
    }

    private static WorkspaceTrust trust(
            ParseResult arguments, Invocation invocation, ConfigSources sources) {
        WorkspaceTrust trust = WorkspaceTrust.of(invocation, ConfigLoader.workspace(sources));
        if (RunOption.TRUST.isGiven(arguments)) {
            trust.trustForNow();
        }
        return trust;
    }

    /** The configuration for running tools without a model, and how the workspace stands. */
    public static Alone loadForTools(ParseResult arguments, Invocation invocation)
            throws UsageException {
        Map<String, List<String>> options = new LinkedHashMap<>(OptionSettings.of(arguments));
        options.put("llm.model", List.of("demo/scripted"));
        return loadAlone(arguments, invocation, options);
    }

    /** The configuration without a session, where nobody is asked. */
    public static Alone loadAlone(
            ParseResult arguments, Invocation invocation, Map<String, List<String>> options)
            throws UsageException {
        ConfigSources sources = sources(arguments, invocation, options);
        Path workspace = ConfigLoader.workspace(sources);
        for (String found : RunSandbox.sweep(invocation, workspace)) { // before anything is read
            invocation.streams().printError(SafeText.block(found) + "\n");
        }
        WorkspaceTrust trust = trust(arguments, invocation, sources);
        ProjectFiles files = ProjectFiles.of(arguments, invocation, workspace, trust);
        return new Alone(ConfigLoader.load(sources.with(files.standing())), trust, files);
    }

    /** A configuration, and how its workspace stands. */
    public record Alone(LoadedConfig loaded, WorkspaceTrust trust, ProjectFiles files) {}

    static ConfigSources sources(
            ParseResult arguments, Invocation invocation, Map<String, List<String>> options) {
        Path directory = invocation.currentDirectory();
        return new ConfigSources(
                invocation.environment(),
                invocation.home(),
                directory,
                ProjectStanding.UNKNOWN,
                RunOption.CONFIG.isGiven(arguments)
                        ? Optional.of(directory.resolve(RunOption.CONFIG.text(arguments)))
                        : Optional.empty(),
                options);
    }

    public Prepared prepare(LoadedConfig loaded) throws UsageException, AuthException, IOException {
        String agent = agent();
        try {
            return found(
                    loaded,
                    terms.hold(RunFolders.found(loaded.forAgent(agent), arguments, invocation)),
                    agent);
        } catch (ConfigException e) {
            throw loaded.located(e, agent);
        }
    }

    private Prepared found(LoadedConfig loaded, AgentConfig config, String agent)
            throws UsageException, AuthException, IOException {
        SandboxChoice sandbox = RunSandbox.choose(invocation, config, loaded);
        chosen = sandbox;
        check(config, agent);
        String prompt = prompt(config.workspace());
        RunInputs inputs =
                RunInputs.read(arguments, invocation.currentDirectory(), !prompt.isEmpty());
        boolean asksServer = tape == null || !tape.replaysModel();
        ModelSelection selection = new ModelSelection(invocation.environment(), asksServer);
        ModelChoice.Chosen model = selection.model(config);
        chosenModel = model.model().info().id();
        checkServer(selection, model, config);
        List<ModelChoice.Chosen> models = selection.withFallbacks(config, model);
        ModelSelection.checkBudget(config, models, loaded.origin("limits.budget"));
        SessionCaps.checkKnownCost(config, earlier);
        ModelSelection.checkDemo(model, arguments, earlier);
        boolean demo = model.protocol() == AgentConfig.Protocol.EMBEDDED && earlier == null;
        Path workspace = demo ? DemoFolder.create(invocation) : config.workspace();
        RunFolders.checkWorkspace(workspace);
        sandbox.begin(); // now that nothing else can be refused: it may have to start a program
        return new Prepared(
                config,
                model,
                models.subList(1, models.size()),
                workspace.toRealPath(),
                prompt,
                inputs,
                !inputs.images().isEmpty() || words.showImages(),
                agent,
                store(config),
                Optional.ofNullable(earlier).map(session -> session.summary().id()),
                config.sessions().autoSave()
                        && !(choice instanceof SessionChoice.Fresh(boolean kept, var _) && !kept),
                sandbox);
    }

    private void check(AgentConfig config, String agent) throws UsageException {
        Profile.check(config, agent);
        if (tape != null) {
            tape.check(config, agent);
        }
        Tools.check(config);
    }

    private void checkServer(ModelSelection selection, ModelChoice.Chosen model, AgentConfig config)
            throws UsageException, IOException {
        KeyHosts known = new KeyHosts(invocation.state().resolve("trust"));
        if (serverIsOfSession) {
            selection.checkServerOfSession(model, config, known);
        } else if (config.llm().baseUrl().isPresent()
                && !(choice instanceof SessionChoice.Fresh(boolean kept, var _) && !kept)) {
            selection.remember(model, known);
        }
    }

    public RunSetup setup(Prepared prepared, Optional<SessionStore.Reopened> reopened) {
        return new RunSetup(
                prepared.config(),
                prepared.model(),
                prepared.fallbacks(),
                prepared.workspace(),
                prepared.prompt(),
                prepared.agent(),
                RunOption.MODE.isGiven(arguments) || stillPlans(),
                RunOption.DRY_RUN.isGiven(arguments),
                !RunOption.NO_STREAM.isGiven(arguments),
                RunOption.APPEND_SYSTEM_PROMPT.text(arguments),
                Objects.requireNonNull(files).guidance(invocation),
                prepared.inputs().answer(),
                prepared.inputs().images(),
                reopened,
                prepared.model().protocol() == AgentConfig.Protocol.EMBEDDED);
    }

    /** A mixed run that was cut while it planned goes on as one. */
    private boolean stillPlans() {
        return earlier != null
                && earlier.summary().agent().equals(MIXED)
                && !RunOption.AGENT.isGiven(arguments);
    }

    private String agent() throws UsageException {
        if (RunOption.MODE.isGiven(arguments) && !RunOption.MODE.text(arguments).equals("mixed")) {
            throw new UsageException(
                    "--mode "
                            + RunOption.MODE.text(arguments)
                            + ": the only mode is mixed (confirm presets are --confirm).");
        }
        if (RunOption.AGENT.isGiven(arguments)) {
            return RunOption.AGENT.text(arguments);
        }
        String before = earlier == null ? "" : earlier.summary().agent();
        return before.isEmpty() || before.equals(MIXED) ? USUAL_AGENT : before;
    }

    /** Rules are read before anything starts: a typing error must not leave a door open. */
    public static void checkRules(AgentConfig config, LoadedConfig loaded) {
        try {
            Policies.check(config);
            Tools.check(config);
        } catch (ConfigException e) {
            throw loaded.located(e, USUAL_AGENT);
        }
    }

    private String prompt(Path workspace) throws UsageException, IOException {
        if (choice instanceof SessionChoice.ToCompact) {
            return "";
        }
        boolean skipFirst = choice instanceof SessionChoice.ById(String _, boolean first) && first;
        String prompt =
                new PromptReader(
                                invocation.streams(),
                                invocation.currentDirectory(),
                                text -> command(text, workspace))
                        .read(arguments, skipFirst, earlier != null);
        if (!prompt.isBlank()) {
            return prompt;
        }
        if (earlier == null) {
            throw new UsageException(
                    "There is no task. Say what to do, e.g. agent run \"fix the failing test\".");
        }
        return words.endWithAnswer() ? GO_ON : "";
    }

    private String command(String text, Path workspace) throws UsageException, IOException {
        SkillPlaces places = Objects.requireNonNull(files).skills(invocation, workspace);
        boolean typed = Specs.isOf(arguments, "chat");
        return CommandCall.meant(text, places, workspace, typed, invocation.streams());
    }

    private SessionStore store(@Nullable AgentConfig config) {
        Path root = invocation.sessions();
        SessionStore store = Sessions.store(root, config);
        return invocation.variable(GatedStore.VARIABLE).isEmpty()
                ? store
                : new GatedStore(store, invocation.environment(), WorkerGone::end);
    }
}
