package dev.agentloop.cli;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.terminal.Streams;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * {@code agent warm-up}: the training run of the start-up archive. Plays ordinary invocations
 * against a scripted server on loopback, in a folder of its own, so that the classes which a user's
 * run needs are in the archive.
 */
final class WarmUpCommand implements Command {
    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command("warm-up", "Exercise the program to train the start-up archive.");
        spec.usageMessage().hidden(true);
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        Path home = Files.createTempDirectory("agent-warm-up-");
        try (WarmUpServer server = new WarmUpServer()) {
            Path work = Files.createDirectory(home.resolve("work"));
            Files.writeString(work.resolve("main.py"), "VALUE = 1\n");
            Path config = home.resolve("config.yaml");
            Files.writeString(config, CONFIG);
            String base = server.baseUrl();
            for (List<String> words :
                    List.of(
                            run(base + "/v1", "openai/warm-up", config, "--json"),
                            run(base + "/v1", "openai/warm-up", config, "-q"),
                            run(base, "anthropic/warm-up", config, "--output-format=stream-json"),
                            List.of("run", "--model", "demo/scripted", "demo"),
                            List.of("--help"),
                            List.of("run", "--no-such-option"))) {
                Cli.run(words.toArray(String[]::new), quiet(home, work, invocation));
            }
            return ExitCode.SUCCESS.code();
        } finally {
            delete(home);
        }
    }

    private static final String CONFIG =
            """
            hooks:
              post_edit:
                - name: warm-up
                  command: "true {file}"
            """;

    private static List<String> run(String base, String model, Path config, String format) {
        return List.of(
                "run",
                "--yolo",
                "--sandbox",
                "off",
                "--model",
                model,
                "--base-url",
                base,
                "--config",
                config.toString(),
                format,
                "warm up");
    }

    private static Invocation quiet(Path home, Path work, Invocation real) {
        Map<String, String> environment = new HashMap<>();
        environment.put("PATH", real.variable("PATH"));
        environment.put("OPENAI_API_KEY", "w4rm-up-key"); // no word: its forms are made
        environment.put("ANTHROPIC_API_KEY", "warm-up");
        environment.put("XDG_STATE_HOME", home.resolve("state").toString());
        environment.put("TMPDIR", home.toString()); // so that the demo's folder goes with the rest
        OutputStream nowhere = OutputStream.nullOutputStream();
        Streams streams =
                new Streams(
                        new ByteArrayInputStream(new byte[0]),
                        nowhere,
                        nowhere,
                        true,
                        false,
                        false);
        return new Invocation(streams, environment, work, home, true);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
