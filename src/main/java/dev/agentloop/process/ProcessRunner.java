package dev.agentloop.process;

import dev.agentloop.control.Cancellation;
import dev.agentloop.sandbox.Confined;
import dev.agentloop.sandbox.Order;
import dev.agentloop.sandbox.PreparedSandbox;
import dev.agentloop.sandbox.Sandbox;
import dev.agentloop.sandbox.Tier;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs commands in their own session, with closed input unless they are told something, and a
 * scrubbed environment.
 *
 * <p><b>Contract.</b> {@link #run} blocks until the command and everything it started are gone, at
 * most 2.5 s beyond its timeout or cancellation, a second more if it had started this program. Safe
 * from several threads.
 */
public final class ProcessRunner {
    static final String MARKER = "AGENT_RUN_MARKER";
    private static final File NO_INPUT = new File("/dev/null");

    private final ChildEnvironment environment;
    private final String runnerMarker = unique();
    private final String outerMarker;
    private final List<String> prefix = Programs.setsid();
    private final ExecutorService drains =
            Executors.newCachedThreadPool(
                    Thread.ofPlatform().daemon().name("command output").factory());

    private final Supplier<Sandbox> sandbox;
    private final Supervisor supervisor;
    private final OutputFolder outputs;
    private final BackgroundCommands background = new BackgroundCommands(this);
    private final Set<RunningCommand> running = new HashSet<>();
    private final Set<Dialogue> dialogues = new HashSet<>();
    private volatile Optional<RunningCommand> waitedFor = Optional.empty();
    private @Nullable WaitingSandbox waiting;
    private Sandbox used = Sandbox.NONE;
    private int count;
    private boolean stopped;

    /** Runs commands without a sandbox. */
    public ProcessRunner(Map<String, String> parent, Collection<String> passed) {
        this(parent, passed, () -> Sandbox.NONE);
    }

    /**
     * @param parent the environment of this program
     * @param passed names that commands get although they look like secrets
     * @param sandbox of all commands; asked before the first one
     */
    public ProcessRunner(
            Map<String, String> parent, Collection<String> passed, Supplier<Sandbox> sandbox) {
        this(parent, passed, VariableReach.KNOWN, sandbox, parent.getOrDefault("TMPDIR", ""));
    }

    /** The same with other variables, and with a folder for outputs that no command may write. */
    public ProcessRunner(
            Map<String, String> parent,
            Collection<String> passed,
            VariableReach reach,
            Supplier<Sandbox> sandbox,
            String temporary) {
        this.sandbox = sandbox;
        this.environment = new ChildEnvironment(parent, passed, reach);
        this.outerMarker = parent.getOrDefault(MARKER, "");
        this.outputs = new OutputFolder(temporary, "agent-output-" + runnerMarker);
        List<String> shell = new ArrayList<>(prefix); // no Ctrl-C of our session reaches it
        shell.addAll(Supervisor.argv(runnerMarker + "-", outputs.path()));
        this.supervisor = new Supervisor(shell, environment.ofHelpers(MARKER));
    }

    /**
     * Runs a command to its end.
     *
     * @throws IOException if it cannot be started at all
     */
    public CommandOutcome run(CommandRequest request, Cancellation cancellation)
            throws IOException {
        return run(request, cancellation, _ -> {});
    }

    /**
     * The same for a command that may take long.
     *
     * @param soFar hears what a result would hold of it now and then, from the first second on
     */
    public CommandOutcome run(
            CommandRequest request, Cancellation cancellation, Consumer<String> soFar)
            throws IOException {
        if (cancellation.isCancelled()) {
            return CommandOutcome.notStarted();
        }
        Optional<RunningCommand> command = begin(request); // others may begin at the same time
        waitedFor = command;
        try {
            return command.isEmpty()
                    ? CommandOutcome.notStarted()
                    : finish(command.get(), request.timeout(), cancellation, soFar);
        } finally {
            waitedFor = Optional.empty();
        }
    }

    /** The newest lines of the command that began last, for a person; empty once one has ended. */
    public String lastLines(int most) {
        return waitedFor.map(command -> command.lastLines(most)).orElse("");
    }

    /** The variables that commands get. */
    public ChildEnvironment environment() {
        return environment;
    }

    /** What commands are confined by. */
    public Sandbox sandbox() {
        return sandbox.get();
    }

    /** Commands of this runner that no call waits for. */
    public BackgroundCommands background() {
        return background;
    }

    /** The folder of outputs that are too long for a result; made with its first file. */
    public Path outputFolder() {
        return outputs.path();
    }

    /**
     * Starts a program to talk to, outside the sandbox. What commands are granted it does not get:
     * of variables only the harmless ones and those given.
     *
     * @throws IOException if it cannot be started, also after {@link #killAll}
     */
    public Dialogue talk(List<String> argv, Path cwd, Map<String, String> variables)
            throws IOException {
        synchronized (running) {
            if (stopped) {
                throw new IOException("the run is ending");
            }
            String marker = nextMarker();
            Map<String, String> given = environment.harmless();
            given.put("PWD", cwd.toString());
            given.computeIfPresent("PATH", (_, path) -> Programs.absolute(path));
            given.putAll(variables);
            String path = given.getOrDefault("PATH", Programs.USUAL);
            ProcessBuilder builder =
                    builder(Programs.found(argv, path, cwd), given, Map.of(), marker);
            builder.directory(cwd.toFile());
            Spawner.Started started = spawn(builder, Optional.empty());
            ProcessTree tree = new ProcessTree(started, marker, runnerMarker, cwd, false);
            Dialogue dialogue = new Dialogue(started.process(), tree, this::ended);
            dialogues.add(dialogue);
            return dialogue;
        }
    }

    private void ended(Dialogue dialogue) {
        synchronized (running) {
            dialogues.remove(dialogue);
        }
        supervisor.ended(dialogue.pid());
    }

    /** Starts a command; empty after {@link #killAll}. */
    Optional<RunningCommand> begin(CommandRequest request) throws IOException {
        synchronized (running) { // a command started after killAll would outlive the program
            if (stopped) {
                return Optional.empty();
            }
            RunningCommand command = start(request);
            running.add(command);
            return Optional.of(command);
        }
    }

    /** Lets a command outlive this program, with a helper that takes what it prints. */
    void leave(RunningCommand command, List<String> helper) throws IOException {
        Map<String, String> variables = environment.ofHelpers(MARKER);
        Spawner.start(builder(helper, variables, Map.of(), "").directory(new File("/")));
        forget(command);
    }

    private void forget(RunningCommand command) {
        synchronized (running) {
            running.remove(command);
        }
        supervisor.ended(command.pid());
    }

    /** Waits for the end of what was begun. */
    CommandOutcome finish(
            RunningCommand command,
            Duration timeout,
            Cancellation cancellation,
            Consumer<String> soFar)
            throws IOException {
        try {
            return command.finish(timeout, cancellation, soFar);
        } finally {
            forget(command);
            synchronized (running) {
                if (!stopped && command.isSandboxed()) {
                    prepareNext();
                }
            }
        }
    }

    /** Ends all commands with their trees, starts no more, and removes long outputs. */
    public void killAll() {
        List<RunningCommand> left;
        List<Dialogue> talking;
        WaitingSandbox unused;
        synchronized (running) {
            stopped = true;
            unused = waiting;
            waiting = null;
            left = new ArrayList<>(running);
            talking = new ArrayList<>(dialogues);
        }
        List<Runnable> rests = new ArrayList<>(); // all clean up in the same time
        left.forEach(command -> rests.add(command.killNow()));
        talking.forEach(dialogue -> rests.add(dialogue.killNow()));
        rests.forEach(Runnable::run);
        if (unused != null) {
            discard(unused);
        }
        used.close();
        drains.shutdown();
        outputs.remove();
        supervisor.close(); // last: if this program is killed meanwhile, it does the rest
    }

    private RunningCommand start(CommandRequest request) throws IOException {
        boolean trusted = request.reach() == CommandRequest.Reach.TRUSTED;
        Sandbox chosen = trusted ? Sandbox.NONE : sandbox.get();
        used = trusted ? used : chosen;
        if (chosen.tier() == Tier.NONE) {
            return start(request, new Confined.Plain(request.argv()), Optional.empty());
        }
        Optional<InputPipe> input =
                request.listens() && chosen.tier() == Tier.BWRAP
                        ? Optional.of(InputPipe.named(outputs.make()))
                        : Optional.empty();
        Order order = request.order(input.flatMap(InputPipe::path).orElse(null));
        WaitingSandbox ready = waiting;
        waiting = null;
        if (ready != null) {
            Optional<Confined> fits = ready.take(order);
            if (fits.isPresent()) {
                return running(request, fits.get(), ready.started(), ready.marker(), input);
            }
        }
        try {
            return start(request, chosen.confine(order, outputs.make()), input);
        } catch (IOException | RuntimeException e) {
            input.ifPresent(InputPipe::close);
            throw e;
        } finally {
            if (ready != null) { // only now: what it keeps on the disk is needed by the other too
                discard(ready);
            }
        }
    }

    private RunningCommand start(
            CommandRequest request, Confined confined, Optional<InputPipe> input)
            throws IOException {
        try {
            String marker = nextMarker();
            ProcessBuilder builder =
                    builder(
                            confined.argv(),
                            environment.variables(),
                            confined.environment(),
                            marker);
            if (confined.input().isEmpty()) {
                if (request.input() == null && !request.listens()) {
                    builder.redirectInput(NO_INPUT);
                }
                builder.directory(request.cwd().toFile());
                builder.environment().put("PWD", request.cwd().toString());
                builder.environment().putAll(request.environment());
            }
            return running(request, confined, spawn(builder, confined.starter()), marker, input);
        } catch (IOException | RuntimeException e) {
            confined.end();
            throw e;
        }
    }

    private String nextMarker() {
        return runnerMarker + "-" + ++count + "-";
    }

    private ProcessBuilder builder(
            List<String> argv,
            Map<String, String> base,
            Map<String, String> additional,
            String marker) {
        List<String> all = new ArrayList<>(prefix);
        all.addAll(argv);
        ProcessBuilder builder = new ProcessBuilder(all);
        Map<String, String> variables = builder.environment();
        variables.clear();
        variables.putAll(base);
        variables.putAll(additional);
        variables.put(MARKER, outerMarker.isEmpty() ? marker : outerMarker + ":" + marker);
        return builder;
    }

    private Spawner.Started spawn(ProcessBuilder builder, Optional<ExecutorService> thread)
            throws IOException {
        supervisor.ready();
        Spawner.Started started =
                thread.isPresent() ? Spawner.start(builder, thread.get()) : Spawner.start(builder);
        supervisor.started(started.process().pid());
        return started;
    }

    private RunningCommand running(
            CommandRequest request,
            Confined confined,
            Spawner.Started started,
            String marker,
            Optional<InputPipe> named) {
        ProcessTree tree =
                new ProcessTree(started, marker, runnerMarker, request.cwd(), confined.isShell());
        InputPipe input =
                request.listens() ? named.orElseGet(() -> InputPipe.of(started.process())) : null;
        return new RunningCommand(
                started.process(), tree, confined, drains, outputs, request.input(), input);
    }

    /** For the next command, once one has ended: while the model thinks, there is time for it. */
    private void prepareNext() {
        drains.execute(() -> {
            synchronized (running) { // a command that comes now waits for what it can take
                if (!stopped && waiting == null) {
                    waiting = prepared();
                }
            }
        });
    }

    private @Nullable WaitingSandbox prepared() {
        try {
            Optional<PreparedSandbox> prepared = sandbox.get().prepare(outputs.make());
            return prepared.isEmpty() ? null : started(prepared.get());
        } catch (IOException | RuntimeException e) {
            return null; // the next command finds out why, and can say it
        }
    }

    private WaitingSandbox started(PreparedSandbox prepared) throws IOException {
        try {
            String marker = nextMarker();
            ProcessBuilder builder =
                    builder(
                            prepared.argv(),
                            environment.variables(),
                            prepared.environment(),
                            marker);
            return new WaitingSandbox(prepared, spawn(builder, Optional.empty()), marker);
        } catch (IOException | RuntimeException e) {
            prepared.discard();
            throw e;
        }
    }

    private void discard(WaitingSandbox unused) {
        Path anywhere = Path.of("/"); // no command worked in it that could have left something
        unused.discard(
                new ProcessTree(unused.started(), unused.marker(), runnerMarker, anywhere, true));
        supervisor.ended(unused.started().process().pid());
    }

    /** A random UUID would load the security providers, 20 ms in a fresh JVM. */
    private static String unique() {
        return ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime());
    }
}
