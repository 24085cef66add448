package dev.agentloop.cli.task;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.terminal.Logs;
import dev.agentloop.durable.engine.DurableEngine;
import dev.agentloop.durable.engine.DurableException;
import dev.agentloop.durable.engine.DurableObjects;
import dev.agentloop.durable.engine.Engines;
import dev.agentloop.durable.engine.LocalEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Which engine keeps the tasks: the same two options for all commands about tasks. */
final class EngineOptions {
    /** A client outlasts the death of a worker that has just begun its operation. */
    static final Duration CLIENT = Duration.ofSeconds(45);

    /** A worker outlasts a restart of the server, also a slow one. */
    static final Duration WORKER = Duration.ofMinutes(30);

    private static final String VARIABLE = "AGENT_ENGINE";
    private static final String FOLDER = "AGENT_ENGINES";

    private EngineOptions() {}

    static void addTo(CommandSpec spec) {
        spec.addOption(
                Specs.value(
                        "NAME",
                        "Where tasks are kept: local (default, or AGENT_ENGINE), restate, temporal.",
                        "--engine"));
        spec.addOption(
                Specs.value(
                        "ADDRESS",
                        "Where the engine is: a URL, host:port, or for local a folder.",
                        "--address"));
    }

    static DurableObjects open(ParseResult arguments, Invocation invocation, Duration patience)
            throws UsageException, DurableException {
        String name = Specs.text(arguments, "--engine");
        if (name.isEmpty()) {
            name = invocation.variable(VARIABLE);
        }
        Path local = invocation.state().resolve("durable").resolve("objects");
        DurableEngine engine =
                find(name.isEmpty() ? LocalEngine.NAME : name, folders(invocation), local);
        if (!engine.name().equals(LocalEngine.NAME)) {
            Logs.quietLibraries();
        }
        return engine.open(
                new DurableEngine.Settings(
                        Specs.text(arguments, "--address"), invocation.environment(), patience));
    }

    /** An engine that is not there is the user's mistake, no failure of the engine. */
    private static DurableEngine find(String name, List<Path> folders, Path local)
            throws UsageException {
        try {
            return Engines.find(name, folders, local);
        } catch (DurableException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    /** What the user names in the environment, then the folder beside the program's own file. */
    private static List<Path> folders(Invocation invocation) {
        List<Path> folders = new ArrayList<>();
        String named = invocation.variable(FOLDER);
        if (!named.isEmpty()) {
            folders.add(Path.of(named).toAbsolutePath());
        }
        String program = String.valueOf(Engines.class.getProtectionDomain().getCodeSource());
        Path file = Path.of(program.replaceFirst("^\\(file:(.*?) <.*$", "$1"));
        Path beside = file.getParent();
        if (beside != null) {
            folders.add(beside.resolve("engines"));
        }
        return folders;
    }
}
