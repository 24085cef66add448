package dev.agentloop.syntax;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.ProcessRunner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks edited files of a workspace, with parsers of our own or the language's program. */
public final class EditedFiles implements SyntaxCheck {
    private static final int MOST_BYTES = 1024 * 1024; // a parser must not hold an edit up

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final Path root;
    private final ProcessRunner runner;

    public EditedFiles(Path root, ProcessRunner runner) {
        this.root = root;
        this.runner = runner;
    }

    @Override
    public List<String> problems(String path, byte[] before, Cancellation cancellation) {
        Optional<String> now = content(root.resolve(path));
        if (now.isEmpty()) {
            return List.of();
        }
        List<String> found = problems(path, now.get(), cancellation);
        if (found.isEmpty() || before.length == 0) {
            return found;
        }
        String old = new String(before, StandardCharsets.UTF_8);
        Set<String> known = new HashSet<>();
        problems(path, old, cancellation).forEach(line -> known.add(withoutPlace(line)));
        return found.stream().anyMatch(line -> !known.contains(withoutPlace(line)))
                ? found
                : List.of();
    }

    /** An edit moves what was wrong before it to other lines. */
    private static String withoutPlace(String line) {
        return line.replaceAll("\\d+", "0");
    }

    private List<String> problems(String path, String text, Cancellation cancellation) {
        if (path.contains("{{")) {
            return List.of(); // of a template of projects, which is in no language yet
        }
        Optional<DataSyntax> data = DataSyntax.of(path);
        return data.isPresent()
                ? problem(data.get(), path, text).stream().toList()
                : ProgramSyntax.of(path, text)
                        .map(language -> language.problems(text, runner, root, cancellation))
                        .orElse(List.of());
    }

    /** Brackets by the ten thousand are more than some parsers bear: they are no finding. */
    private static Optional<String> problem(DataSyntax language, String path, String text) {
        try {
            return language.problem(
                    path, text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text);
        } catch (RuntimeException | StackOverflowError e) {
            return Optional.empty();
        }
    }

    private static Optional<String> content(Path file) {
        try {
            return !Files.isRegularFile(file) || Files.size(file) > MOST_BYTES
                    ? Optional.empty()
                    : Optional.of(Files.readString(file));
        } catch (IOException e) {
            return Optional.empty(); // gone again, or no text
        }
    }
}
