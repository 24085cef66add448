package dev.agentloop.sandbox;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.sandbox.watch.Boundaries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A home with a workspace in it, and commands in a sandbox around them. */
abstract class HomeWorld {
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir(factory = OutsideTmp.class)
    Path folder;

    final Map<String, String> environment = new HashMap<>();
    Path home;
    Path workspace;

    @BeforeEach
    void makeHome() throws IOException {
        home = Files.createDirectories(folder.resolve("home")).toRealPath();
        workspace = Files.createDirectories(home.resolve("work/shop"));
        environment.put("PATH", System.getenv("PATH"));
        environment.put("HOME", home.toString());
    }

    void file(String name, String text) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    String out(Tier tier, String command, String... readable) throws IOException {
        List<Path> wished = List.of(readable).stream().map(home::resolve).toList();
        Boundaries boundaries =
                new Boundaries(
                        workspace,
                        home,
                        List.of(),
                        List.of(),
                        wished,
                        environment,
                        false,
                        List.of(),
                        List.of());
        SandboxProbe probe = new SandboxProbe(folder.resolve("found"), boundaries);
        SandboxProbe.Found found = tier == Tier.BWRAP ? probe.bwrap() : probe.landlock();
        assumeTrue(found.tier() == tier, found.trouble());
        Sandbox sandbox = found.within(boundaries);
        ProcessRunner runner = new ProcessRunner(environment, List.of(), () -> sandbox);
        try {
            CommandOutcome outcome =
                    runner.run(CommandRequest.shell(command, workspace, LONG), new Cancellation());
            return (outcome.stdout().text() + outcome.stderr().text()).strip();
        } finally {
            runner.killAll();
        }
    }
}
