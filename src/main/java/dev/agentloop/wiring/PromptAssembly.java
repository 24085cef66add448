package dev.agentloop.wiring;

import dev.agentloop.control.Cancellation;
import dev.agentloop.git.Git;
import dev.agentloop.hook.HookBus;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.permission.PermissionPolicy;
import dev.agentloop.prompt.GitState;
import dev.agentloop.prompt.GuidanceFile;
import dev.agentloop.prompt.ProjectStructure;
import dev.agentloop.prompt.PromptBuilder;
import dev.agentloop.prompt.PromptPart;
import dev.agentloop.tool.Workspace;
import dev.agentloop.verification.NamedChecks;
import dev.agentloop.wiring.prompt.Guidance;
import dev.agentloop.wiring.prompt.Prompts;
import dev.agentloop.wiring.run.RunSetup;
import dev.agentloop.wiring.run.RunSurroundings;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The built-in parts of what the model is told before its task. */
final class PromptAssembly {
    private static final Duration PATIENCE = Duration.ofSeconds(2); // with git

    private final RunSetup setup;
    private final RunSurroundings around;
    private final Workspace workspace;
    private final Prompts prompts = new Prompts();
    private final UnaryOperator<String> hide;
    private final OptionalFeatures onDemand;
    private final Guidance guidance;
    private final Cancellation asking = new Cancellation();
    private final CompletableFuture<String> git;

    /**
     * Begins to ask git at once, so that its answer is there when it is needed.
     *
     * @param hide leaves out of a text what the model must not see
     * @param policy what is decided about a call
     * @param onDemand more that the model is told of where it is there
     */
    PromptAssembly(
            RunSetup setup,
            RunSurroundings around,
            Workspace workspace,
            UnaryOperator<String> hide,
            Function<ToolCall, Optional<PermissionPolicy.Explanation>> policy,
            OptionalFeatures onDemand) {
        this.setup = setup;
        this.around = around;
        this.workspace = workspace;
        this.hide = hide;
        this.onDemand = onDemand;
        this.guidance = new Guidance(setup, around, workspace, prompts, policy);
        this.git = gitState();
    }

    /** Hears when deeper folders are touched. */
    void listenTo(HookBus bus) {
        guidance.listenTo(bus);
        onDemand.listenTo(bus);
    }

    /** Reads what a session begins with; what people should know of it, or nothing. */
    String begin() {
        guidance.begin();
        return guidance.notice();
    }

    /** Names of the files of guidance that a new system prompt has. */
    List<String> guidance() {
        return guidance.believed().stream().map(GuidanceFile::name).toList();
    }

    /** Commands that the guidance names as checks. */
    List<String> checkCommands() {
        return guidance.believed().stream()
                .flatMap(file -> NamedChecks.in(file.text()).stream())
                .toList();
    }

    /** The system prompt of an agent. */
    String system(Profile profile) {
        return builder(profile).system();
    }

    /** The task, with what its answer must be and what goes with it. */
    String task(Profile profile) {
        String answer =
                setup.answer()
                        .map(wanted -> "\n\n" + prompts.answerSchema(wanted.schema().text()))
                        .orElse("");
        String more = builder(profile).withTask();
        return setup.prompt() + answer + (more.isEmpty() ? "" : "\n\n" + more);
    }

    /** All parts, for an agent. */
    PromptBuilder builder(Profile profile) {
        String appended = setup.appendSystemPrompt();
        return new PromptBuilder(
                List.of(
                        () -> part("instructions", source(profile), profile.instructions()),
                        () -> part("appended", "--append-system-prompt", appended),
                        () -> part("environment", "this machine", environment()),
                        () -> part("project structure", "names of files", structure()),
                        this::onDemand,
                        this::believed),
                List.of(this::quoted, this::untold, this::surroundings));
    }

    private static List<PromptPart> part(String name, String source, String text) {
        return List.of(new PromptPart(name, source, text));
    }

    private String source(Profile profile) {
        boolean own =
                Optional.ofNullable(setup.config().agents().get(profile.name()))
                        .flatMap(agent -> agent.prompt())
                        .isPresent();
        return own
                ? "agents." + profile.name() + ".prompt"
                : "built-in agent " + Profile.base(profile.name());
    }

    private List<PromptPart> onDemand() {
        return hidden(onDemand.lasting());
    }

    private List<PromptPart> hidden(List<PromptPart> parts) {
        return parts.stream()
                .map(part -> new PromptPart(part.name(), part.source(), hide.apply(part.text())))
                .toList();
    }

    private String environment() {
        List<String> added = workspace.roots().added().stream().map(Path::toString).toList();
        String more =
                added.isEmpty()
                        ? ""
                        : "Also part of it, by absolute paths: %s\n"
                                .formatted(String.join(", ", added));
        return "Workspace (paths are relative to it): %s\n%sPlatform: %s"
                .formatted(workspace.root(), more, System.getProperty("os.name"));
    }

    private String structure() {
        String structure = ProjectStructure.of(workspace.root());
        return structure.isEmpty() ? "" : "## Project Structure\n" + structure;
    }

    /** One part for each file, the first with what stands above them. */
    private List<PromptPart> believed() {
        List<PromptPart> parts = new ArrayList<>();
        for (GuidanceFile file : guidance.believed()) {
            String above = parts.isEmpty() ? prompts.guidance() + "\n\n" : "";
            parts.add(guidance(file.name(), above + file.fenced()));
        }
        return parts;
    }

    private List<PromptPart> quoted() {
        return setup.reopened().isPresent()
                ? List.of() // was told when the session began
                : Stream.concat(
                                Stream.of(
                                        guidance("files that are not trusted", guidance.quoted())),
                                hidden(onDemand.passing()).stream())
                        .toList();
    }

    /** What is believed now, and was not when the session that goes on began, or was not so. */
    private List<PromptPart> untold() {
        if (setup.reopened().isEmpty()) {
            return List.of();
        }
        StringBuilder told = new StringBuilder();
        for (Message message : setup.reopened().get().session().transcript()) {
            if (message instanceof Message.System(String text)) {
                told.append(text);
            } else if (message instanceof Message.User said) {
                told.append(said.text());
            }
        }
        List<PromptPart> parts = new ArrayList<>();
        for (GuidanceFile file : guidance.believed()) {
            if (told.indexOf(hide.apply(file.fenced())) < 0) {
                String above = parts.isEmpty() ? prompts.guidance() + "\n\n" : "";
                parts.add(guidance(file.name(), above + file.fenced()));
            }
        }
        return parts;
    }

    private PromptPart guidance(String source, String text) {
        return new PromptPart("guidance", source, hide.apply(text));
    }

    /** The day and the state of the work tree: both may be others at the next task. */
    private List<PromptPart> surroundings() {
        String day = "Date: " + around.time().now().atZone(ZoneId.systemDefault()).toLocalDate();
        String state = hide.apply(gitAnswer());
        String text = state.isEmpty() ? day : day + "\n" + state;
        return setup.demo()
                ? List.of()
                : List.of(
                        new PromptPart(
                                "surroundings",
                                state.isEmpty() ? "clock" : "clock and git",
                                "<surroundings>\n" + text + "\n</surroundings>"));
    }

    private CompletableFuture<String> gitState() {
        Path root = setup.guidance().root();
        boolean asked =
                around.where().use().isTrusted()
                        && !setup.demo()
                        && Files.exists(root.resolve(".git"), LinkOption.NOFOLLOW_LINKS);
        Optional<Git> asker =
                asked
                        ? Git.find(around.processes(), workspace.root(), PATIENCE, asking)
                        : Optional.empty();
        if (asker.isEmpty()) {
            return CompletableFuture.completedFuture("");
        }
        return CompletableFuture.supplyAsync(
                () -> GitState.of(asker.get(), root, PATIENCE), PromptAssembly::start);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "git state");
        thread.setDaemon(true);
        thread.start();
    }

    private String gitAnswer() {
        try {
            return git.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
