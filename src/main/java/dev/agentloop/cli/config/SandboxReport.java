package dev.agentloop.cli.config;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.workspace.RunSandbox;
import dev.agentloop.config.AgentConfig;
import dev.agentloop.sandbox.Tier;
import dev.agentloop.sandbox.attack.Attack;
import dev.agentloop.sandbox.attack.AttackBook;
import dev.agentloop.sandbox.attack.AttackClass;
import dev.agentloop.sandbox.attack.AttackTrial;
import dev.agentloop.wiring.SandboxChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.ParseResult;

/** {@code agent doctor --sandbox}: what each attack on the sandbox came to. */
final class SandboxReport {
    private final Tier tier;

    SandboxReport(Tier tier) {
        this.tier = tier;
    }

    /**
     * @param arguments with the mode of the sandbox, or a file of configuration that says it
     */
    static List<Checkup.Finding> findings(ParseResult arguments, Invocation invocation)
            throws IOException, UsageException {
        SandboxChoice choice = RunSandbox.found(invocation, mode(arguments, invocation));
        List<Checkup.Finding> findings = new ArrayList<>();
        findings.add(sandbox(choice, Checkup.State.BROKEN));
        if (choice.tier() == Tier.NONE) {
            return findings;
        }
        Path place = invocation.xdg("XDG_CACHE_HOME", ".cache");
        Files.createDirectories(place);
        String path = invocation.environment().getOrDefault("PATH", "/usr/bin:/bin");
        var trial = new AttackTrial(choice::within, path, place);
        findings.addAll(new SandboxReport(choice.tier()).tried(trial));
        return findings;
    }

    /** Of a configuration without a sandbox the strongest is tried: what else is there to know? */
    private static AgentConfig.SandboxMode mode(ParseResult arguments, Invocation invocation)
            throws UsageException {
        String said = Specs.text(arguments, "--sandbox");
        Map<String, List<String>> options =
                said.isEmpty() ? Map.of() : Map.of("sandbox.mode", List.of(said));
        AgentConfig.SandboxMode mode =
                ModelsCommand.config(invocation, arguments, options).sandbox().mode();
        if (mode != AgentConfig.SandboxMode.OFF) {
            return mode;
        }
        if (!said.isEmpty()) {
            throw new UsageException(
                    "With --sandbox off there is nothing to attack: name bwrap or landlock, or no mode"
                            + " for the strongest that works.");
        }
        return AgentConfig.SandboxMode.AUTO;
    }

    /** As many attacks at a time as there are processors: one after the other takes a minute. */
    private List<Checkup.Finding> tried(AttackTrial trial) throws IOException {
        boolean root = "root".equals(System.getProperty("user.name"));
        List<Future<Checkup.Finding>> tries = new ArrayList<>();
        try (var pool = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            for (AttackClass kind : AttackBook.all()) {
                for (Attack attack : kind.attacks()) {
                    boolean known =
                            attack.expected(tier, root)
                                    .filter(outcome -> outcome != Attack.Outcome.STOPPED)
                                    .isPresent();
                    List<String> missing = trial.missing(attack);
                    tries.add(
                            pool.submit(() ->
                                    missing.isEmpty()
                                            ? finding(
                                                    attack.name(),
                                                    trial.attempt(kind, attack),
                                                    known)
                                            : untried(attack.name(), missing)));
                }
            }
        }
        List<Checkup.Finding> findings = new ArrayList<>();
        for (Future<Checkup.Finding> one : tries) {
            try {
                findings.add(one.get());
            } catch (InterruptedException | ExecutionException e) {
                throw new IOException("an attack could not be tried", e);
            }
        }
        return findings;
    }

    /**
     * Which sandbox there is.
     *
     * @param none how bad it is to have none
     */
    static Checkup.Finding sandbox(SandboxChoice choice, Checkup.State none) {
        return switch (choice.tier()) {
            case BWRAP ->
                    new Checkup.Finding(
                            "sandbox", Checkup.State.OK, "bwrap: commands are confined", "");
            case LANDLOCK ->
                    new Checkup.Finding(
                            "sandbox",
                            Checkup.State.NOTE,
                            "landlock: commands are confined, but see the machine's processes",
                            choice.trouble());
            case NONE ->
                    new Checkup.Finding(
                            "sandbox",
                            none,
                            "none: commands run with your rights",
                            choice.trouble());
        };
    }

    /**
     * @param known whether the tier is known not to stop it: then its page says so
     */
    Checkup.Finding finding(String name, Attack.Outcome outcome, boolean known) {
        return switch (outcome) {
            case STOPPED -> new Checkup.Finding(name, Checkup.State.OK, "stopped", "");
            case UNTESTED ->
                    new Checkup.Finding(
                            name,
                            Checkup.State.NOTE,
                            "not tried: it took too long, or the sandbox did not start",
                            "try it again when the machine has less to do");
            case REPORTED ->
                    new Checkup.Finding(
                            name,
                            Checkup.State.NOTE,
                            "possible; the result of the command reports it",
                            "look at what is reported before you use it");
            case OPEN ->
                    new Checkup.Finding(
                            name,
                            known ? Checkup.State.NOTE : Checkup.State.BROKEN,
                            "possible from within the sandbox, without a word",
                            known ? stronger() : "report it, and run the agent in a container");
        };
    }

    private String stronger() {
        return tier == Tier.BWRAP
                ? "run the agent in a container if that matters to you"
                : "install bubblewrap if you can; else run the agent in a container";
    }

    /** Of an attack that needs programs which are not there. */
    Checkup.Finding untried(String name, List<String> missing) {
        String programs = String.join(", ", missing);
        return new Checkup.Finding(
                name,
                Checkup.State.NOTE,
                "not tried: " + programs + " not found",
                "install " + programs + ", or put them on the PATH");
    }
}
