package dev.agentloop.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.cli.Cli;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.terminal.Streams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Runs the marked examples of one page, in their order, in one folder of their own. */
final class ExampleRunner {
    private static final Pattern COMMAND =
            Pattern.compile("(?:scripts/)?agent (.*?)(?:\\s+# exit (\\d+))?");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

    private final Path folder;
    private String printed = "";

    ExampleRunner(Path folder) {
        this.folder = folder;
    }

    void run(Page page) throws IOException {
        for (Page.Block block : page.blocks()) {
            switch (block.mark()) {
                case "run" -> runAll(block.text());
                case "prints" ->
                        assertTrue(
                                printed.contains(block.text().stripTrailing()),
                                () ->
                                        page
                                                + " promises:\n"
                                                + block.text()
                                                + "but got:\n"
                                                + printed);
                default -> write(block.mark().substring("file: ".length()), block.text());
            }
        }
    }

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void runAll(String commands) {
        printed = "";
        for (String line : commands.split("\n")) {
            MatchResult command = match(line);
            int expected = command.group(2) == null ? 0 : Integer.parseInt(command.group(2));
            assertEquals(expected, runOne(words(command.group(1))), () -> line + "\n" + printed);
        }
    }

    private static MatchResult match(String line) {
        var matcher = COMMAND.matcher(line);
        assertTrue(matcher.matches(), "not a command that can run here: " + line);
        return matcher.toMatchResult();
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        for (MatchResult word : Page.matches(WORD, line)) {
            String quoted = word.group(1) == null ? word.group(2) : word.group(1);
            words.add(quoted == null ? word.group(3) : quoted);
        }
        return words;
    }

    /** Standard output and error go to one text, as on a terminal. */
    private int runOne(List<String> words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayInputStream noInput = new ByteArrayInputStream(new byte[0]);
        Streams streams = new Streams(noInput, out, out, false, false, false);
        Path home = folder.resolve("home");
        Map<String, String> environment =
                Map.of("PATH", System.getenv("PATH"), "TMPDIR", folder.toString());
        int code =
                Cli.run(
                        words.toArray(String[]::new),
                        new Invocation(streams, environment, folder, home, false));
        printed += out.toString(StandardCharsets.UTF_8);
        return code;
    }
}
