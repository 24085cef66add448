package dev.agentloop.syntax;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A language whose own program can read a file without running it. The program reads the text from
 * its standard input, so that it leaves nothing beside the file and what was there before the edit
 * can be checked as well.
 *
 * @param arguments behind the program
 * @param said of its output, the lines that tell what is wrong
 */
record ProgramSyntax(String program, List<String> arguments, Pattern said) {
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final int MOST_LINES = 6; // of what a program says

    private static final String OF_PHP = " in Standard input code"; // its name for the text

    /** Variables that make a program load files of the repository before it reads anything. */
    private static final Map<String, String> NOTHING_LOADED =
            Map.of("RUBYOPT", "", "RUBYLIB", "", "NODE_OPTIONS", "", "BASH_ENV", "", "ENV", "");

    /**
     * A file for another tool first (JSX), or in a package of modules, which the text may not say.
     */
    private static final Pattern OTHER_DIALECT =
            Pattern.compile("Unexpected token '<'|await is only valid|import statement outside");

    private static final ProgramSyntax PYTHON =
            new ProgramSyntax(
                    "python3",
                    List.of(
                            "-I",
                            "-S",
                            "-W",
                            "ignore",
                            "-c",
                            "import sys; compile(sys.stdin.buffer.read(), 'file', 'exec', dont_inherit=True)"),
                    Pattern.compile("^  File \"file\", (line \\d+)|^(\\w*Error: .*)"));
    private static final Pattern FROM_NODE = // versions name the text differently
            Pattern.compile("^.*\\[(?:stdin|eval1?)\\]:(\\d+)|^file:.*:(\\d+)$|^(SyntaxError: .*)");
    private static final ProgramSyntax NODE =
            new ProgramSyntax("node", List.of("--check", "-"), FROM_NODE);
    private static final ProgramSyntax NODE_MODULE =
            new ProgramSyntax("node", List.of("--input-type=module", "--check", "-"), FROM_NODE);
    private static final ProgramSyntax BASH =
            new ProgramSyntax(
                    "bash",
                    List.of("-O", "extglob", "-n"), // scripts switch it on themselves
                    Pattern.compile("(line \\d+: (?:syntax error|unexp).*)"));
    private static final ProgramSyntax PHP =
            new ProgramSyntax(
                    "php", List.of("-n", "-l"), Pattern.compile("^(?:PHP )?(Parse error: .*)"));
    private static final ProgramSyntax RUBY =
            new ProgramSyntax("ruby", List.of("-c"), Pattern.compile("^(?:-: )?-:(\\d+:.*)"));
    private static final ProgramSyntax GO =
            new ProgramSyntax("gofmt", List.of("-e"), Pattern.compile("^<standard input>:(.*)"));

    /** The language of a file by its name, or by the first line of a script. */
    static Optional<ProgramSyntax> of(String path, String text) {
        String name = path.substring(path.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "py", "pyi" ->
                    firstLine(text).matches("#!.*python2.*")
                            ? Optional.empty()
                            : Optional.of(PYTHON);
            case "cjs" -> Optional.of(NODE);
            case "mjs" -> Optional.of(NODE_MODULE);
            case "js" -> ofJavaScript(text);
            case "sh", "bash" -> text.startsWith("#!") ? byFirstLine(text) : Optional.of(BASH);
            case "php" -> Optional.of(PHP);
            case "rb", "gemspec" -> Optional.of(RUBY);
            case "go" -> Optional.of(GO);
            default -> byFirstLine(text);
        };
    }

    private static Optional<ProgramSyntax> byFirstLine(String text) {
        if (!text.startsWith("#!")) {
            return Optional.empty();
        }
        String line = firstLine(text);
        return line.contains("python3")
                ? Optional.of(PYTHON)
                : line.matches("#!.*\\b(?:ba)?sh\\b.*") ? Optional.of(BASH) : Optional.empty();
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }

    /** Flow marks its files in a comment at their beginning; node does not know its types. */
    private static Optional<ProgramSyntax> ofJavaScript(String text) {
        return text.lines().limit(20).anyMatch(line -> line.matches("[ */]*@flow\\b.*"))
                ? Optional.empty()
                : Optional.of(isModule(text) ? NODE_MODULE : NODE);
    }

    private static boolean isModule(String text) {
        return text.lines()
                .anyMatch(line -> line.startsWith("import ") || line.startsWith("export "));
    }

    /** What the program finds wrong; empty if nothing is, or if it is not there. */
    List<String> problems(
            String text, ProcessRunner runner, Path workspace, Cancellation cancellation) {
        Optional<Path> file = runner.environment().program(program, workspace);
        if (file.isEmpty()) {
            return List.of();
        }
        List<String> argv = new ArrayList<>(List.of(file.get().toString()));
        argv.addAll(arguments);
        CommandRequest request =
                new CommandRequest(argv, workspace, LIMIT, NOTHING_LOADED).reading(text);
        try {
            CommandOutcome outcome = runner.run(request, cancellation);
            boolean failed =
                    outcome.ending() == CommandOutcome.Ending.EXITED && outcome.exitCode() > 0;
            String all = outcome.stderr().text() + "\n" + outcome.stdout().text();
            return failed && !OTHER_DIALECT.matcher(all).find() ? said(all) : List.of();
        } catch (IOException e) {
            return List.of(); // no sandbox, no check: the edit is done all the same
        }
    }

    private List<String> said(String output) {
        List<String> lines = new ArrayList<>();
        for (String line : output.split("\n")) {
            var found = said.matcher(line);
            if (found.find() && lines.size() < MOST_LINES) {
                for (int group = 1; group <= found.groupCount(); group++) {
                    if (found.group(group) != null && !found.group(group).isBlank()) {
                        String what = found.group(group).strip().replace(OF_PHP, "");
                        lines.add(Character.isDigit(what.charAt(0)) ? "line " + what : what);
                    }
                }
            }
        }
        return lines;
    }
}
