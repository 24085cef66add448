package dev.agentloop.cli.task;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.RunsCommand;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.ThisProgram;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.setup.LaterRunOptions;
import dev.agentloop.durable.AgentRuns;
import dev.agentloop.durable.Tasks;
import dev.agentloop.durable.Worker;
import dev.agentloop.durable.engine.DurableException;
import dev.agentloop.durable.engine.DurableObjects;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import sun.misc.Signal;

/** {@code agent worker}: works on submitted tasks until it is stopped. */
public final class WorkerCommand implements Command {
    private static final int MOST_PARALLEL = 64;

    /** Options of the runs that are the worker's to decide: what is allowed, and by whom. */
    private static final List<RunOption> POLICY =
            List.of(
                    RunOption.CONFIG,
                    RunOption.ADD_DIR,
                    RunOption.ALLOW,
                    RunOption.SANDBOX,
                    RunOption.ALLOW_NET,
                    RunOption.CONFIRM,
                    RunOption.YOLO,
                    RunOption.ALLOW_DESTRUCTIVE,
                    RunOption.TRUST);

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "worker",
                        "Work on submitted tasks until stopped (SIGTERM, Ctrl-C). Options of agent"
                                + " run hold for each run.");
        EngineOptions.addTo(spec);
        spec.addOption(
                Specs.values(
                        "DIR",
                        "Tasks may work in this folder or below; without any, nowhere. Repeatable.",
                        "--root"));
        spec.addOption(Specs.value("N", "Tasks at the same time (1).", "--parallel"));
        spec.addOption(Specs.value("NAME", "Name of this worker (host and process).", "--name"));
        RunOption.addTo(spec, POLICY);
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        int parallel = parallel(Specs.text(arguments, "--parallel"));
        LaterRunOptions.checkWithFiles(
                arguments, invocation); // a slip must not end task after task
        AgentRuns runs =
                new AgentRuns(
                        new AgentRuns.Place(
                                ThisProgram.words(),
                                RunsCommand.words(arguments, invocation, POLICY),
                                roots(arguments, invocation),
                                invocation.state()));
        String name = name(Specs.text(arguments, "--name"));
        try (DurableObjects objects =
                EngineOptions.open(arguments, invocation, EngineOptions.WORKER)) {
            objects.serve();
            Worker worker =
                    Worker.of(
                            name,
                            new Tasks(objects),
                            runs,
                            line -> invocation.streams().printError(line + "\n"));
            stopOnSignal(worker, invocation);
            invocation.streams().printError("worker " + name + " is ready\n");
            return work(worker, parallel, invocation);
        } catch (DurableException e) {
            invocation.streams().printError("agent: " + e.getMessage() + "\n");
            return ExitCode.FAILED.code();
        }
    }

    private static int work(Worker worker, int parallel, Invocation invocation)
            throws InterruptedException {
        AtomicReference<String> failure = new AtomicReference<>("");
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < parallel; i++) {
            Thread thread =
                    new Thread(
                            () -> {
                                try {
                                    worker.work();
                                } catch (DurableException | RuntimeException e) {
                                    failure.set(String.valueOf(e.getMessage()));
                                    worker.stop();
                                }
                            },
                            "worker-" + i);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (!failure.get().isEmpty()) {
            invocation.streams().printError("agent: " + failure.get() + "\n");
            return ExitCode.FAILED.code();
        }
        return ExitCode.SUCCESS.code();
    }

    /** The first signal lets the work in hand come to a good end; a second one does not wait. */
    private static void stopOnSignal(Worker worker, Invocation invocation) {
        if (!invocation.ownsProcess()) {
            return;
        }
        for (String signal : List.of("TERM", "INT")) {
            Signal.handle(new Signal(signal), it -> worker.stop());
        }
        Signal.handle(
                new Signal("INT"),
                it -> {
                    Signal.handle(
                            it, again -> Runtime.getRuntime().halt(ExitCode.INTERRUPTED.code()));
                    invocation.streams().printError("stopping; once more to stop at once\n");
                    worker.stop();
                });
    }

    private static int parallel(String text) throws UsageException {
        if (text.isEmpty()) {
            return 1;
        }
        if (!text.matches("[1-9]\\d?") || Integer.parseInt(text) > MOST_PARALLEL) {
            throw new UsageException("--parallel " + text + " is not a number from 1 to 64.");
        }
        return Integer.parseInt(text);
    }

    private static String name(String named) {
        if (!named.isEmpty()) {
            return named;
        }
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (IOException e) {
            host = "host";
        }
        return host + "-" + ProcessHandle.current().pid();
    }

    private static List<Path> roots(ParseResult arguments, Invocation invocation)
            throws UsageException {
        List<Path> roots = new ArrayList<>();
        for (String root : Specs.texts(arguments, "--root")) {
            try {
                roots.add(invocation.currentDirectory().resolve(root).toRealPath());
            } catch (IOException e) {
                throw new UsageException("--root " + root + " is not a folder.");
            }
        }
        if (roots.isEmpty()) {
            throw new UsageException(
                    "a worker needs to know where it may work: add --root DIR, one or more.");
        }
        return roots;
    }
}
