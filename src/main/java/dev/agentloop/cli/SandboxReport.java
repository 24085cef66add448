package dev.agentloop.cli;

import dev.agentloop.sandbox.Tier;
import dev.agentloop.wiring.SandboxChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code agent doctor --sandbox}: what each attack on the sandbox came to. */
final class SandboxReport {
    private SandboxReport() {}

    static List<Checkup.Finding> findings(Invocation invocation) throws IOException {
        SandboxChoice choice = RunSandbox.strongest(invocation);
        List<Checkup.Finding> findings = new ArrayList<>();
        findings.add(sandbox(choice, Checkup.State.BROKEN));
        if (choice.tier() == Tier.NONE) {
            return findings;
        }
        Path place = invocation.xdg("XDG_CACHE_HOME", ".cache");
        Files.createDirectories(place);
        try (var trial = new SandboxTrial(choice, invocation.environment(), place)) {
            trial.lines().forEach(line -> findings.add(finding(line)));
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

    private static Checkup.Finding finding(SandboxTrial.Line line) {
        return switch (line.outcome()) {
            case HELD -> new Checkup.Finding(line.meaning(), Checkup.State.OK, "refused", "");
            case UNTESTED ->
                    new Checkup.Finding(
                            line.meaning(),
                            Checkup.State.NOTE,
                            "not tried: a program is missing, or it took too long",
                            "install perl or python3");
            case ESCAPED ->
                    new Checkup.Finding(
                            line.meaning(),
                            Checkup.State.BROKEN,
                            "possible from within the sandbox",
                            "report it, and run the agent in a container");
        };
    }
}
