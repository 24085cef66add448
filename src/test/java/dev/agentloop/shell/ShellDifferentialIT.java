package dev.agentloop.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.shell.ShellReading.Clear;
import dev.agentloop.shell.parse.SimpleCommand;
import dev.agentloop.shell.parse.Word;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the parser says of a line is compared with what dash and bash really do with it. The lines
 * are the same each time: {@code -Dshell.seed=N -Dshell.lines=20000} tries others, and more.
 */
@Tag("side-by-side")
final class ShellDifferentialIT {
    private static final int LINES = Integer.getInteger("shell.lines", 6_000);
    private static final long SEED = Long.getLong("shell.seed", 2026);
    private static final int BATCH = 500;

    /** A line and what was said of it. */
    private record Case(String line, CommandFacts facts) {}

    @Test
    @Tag("D26")
    @DisplayName("of thousands of lines no shell starts a program, or writes a file, not reported")
    void nothingElseHappens(@TempDir Path folder) throws IOException {
        ConfinedShells shells = new ConfinedShells(folder, true);
        List<Case> cases = generated(shells, facts -> facts.reading() instanceof Clear);
        List<String> guilty = new ArrayList<>();
        for (List<Case> batch : batches(cases)) {
            shells.freshWorkspace();
            Map<String, String> before = shells.snapshot();
            List<List<List<String>>> started = shells.run(lines(batch));
            for (int i = 0; i < batch.size(); i++) {
                Set<List<String>> surplus = new LinkedHashSet<>(started.get(i));
                CommandFacts facts = batch.get(i).facts();
                surplus.removeIf(words -> isReported(words, facts));
                if (!surplus.isEmpty()) {
                    guilty.add(batch.get(i).line() + "\n    started " + surplus);
                }
            }
            shells.syntaxErrors().forEach(error -> guilty.add(explained(error, batch)));
            Set<String> written = changed(before, shells.snapshot());
            written.removeIf(name -> isReportedAsWritten(shells.workspace().resolve(name), batch));
            if (!written.isEmpty()) {
                guilty.add("not reported as written: " + written);
            }
        }

        assertTrue(cases.size() > LINES / 10, () -> "too few lines were clear: " + cases.size());
        assertEquals("", String.join("\n", guilty));
    }

    @Test
    @Tag("D26")
    @DisplayName("of thousands of lines none that is read-only changes a file")
    void nothingIsChanged(@TempDir Path folder) throws IOException {
        ConfinedShells shells = new ConfinedShells(folder, false);
        List<Case> cases = generated(shells, CommandFacts::readOnly);
        List<String> guilty = new ArrayList<>();
        for (List<Case> batch : batches(cases)) {
            guilty.addAll(changing(shells, batch));
        }

        assertTrue(cases.size() > LINES / 50, () -> "too few lines were proven: " + cases.size());
        assertEquals(List.of(), guilty);
    }

    /** The lines that change a file, or start a program that was not reported. */
    private static List<String> changing(ConfinedShells shells, List<Case> cases)
            throws IOException {
        shells.freshWorkspace();
        Map<String, String> before = shells.snapshot();
        List<List<List<String>>> started = shells.run(lines(cases));
        List<String> guilty = new ArrayList<>();
        for (int i = 0; i < cases.size(); i++) {
            CommandFacts facts = cases.get(i).facts();
            if (!started.get(i).stream().allMatch(words -> isReported(words, facts))) {
                guilty.add(cases.get(i).line() + " started " + started.get(i));
            }
        }
        Set<String> changed = changed(before, shells.snapshot());
        if (!changed.isEmpty() && cases.size() == 1) {
            guilty.add(cases.getFirst().line() + " changed " + changed);
        } else if (!changed.isEmpty()) {
            int half = cases.size() / 2;
            guilty.addAll(changing(shells, cases.subList(0, half)));
            guilty.addAll(changing(shells, cases.subList(half, cases.size())));
        }
        return guilty;
    }

    /** The message of a shell, with the line that it calls by its number. */
    private static String explained(String error, List<Case> batch) {
        int number = error.indexOf("mark-") + 5;
        boolean numbered = number > 4 && error.length() >= number + 5;
        String line =
                numbered
                        ? batch.get(Integer.parseInt(error.substring(number, number + 5))).line()
                        : "a nested shell";
        return line + "\n    " + error;
    }

    private static List<Case> generated(ConfinedShells shells, Predicate<CommandFacts> chosen) {
        ShellLines lines = new ShellLines(SEED);
        return Stream.generate(lines::next)
                .limit(LINES)
                .distinct()
                .filter(line -> line.indexOf('\0') < 0)
                .map(line -> new Case(line, facts(line, shells)))
                .filter(one -> chosen.test(one.facts()))
                .toList();
    }

    private static CommandFacts facts(String line, ConfinedShells shells) {
        return CommandAnalysis.of(line, shells.workspace(), shells.workspace(), shells.home());
    }

    /** Also a file without a format that the kernel knows, which a shell reads as a script. */
    private static boolean isReported(List<String> words, CommandFacts facts) {
        boolean script =
                words.size() > 1
                        && words.getFirst().equals("/bin/sh")
                        && words.get(1).contains("/");
        return isCommand(words, facts)
                || script && isCommand(words.subList(1, words.size()), facts);
    }

    /** The words are those of a command, or of its program where files stand for a pattern. */
    private static boolean isCommand(List<String> words, CommandFacts facts) {
        return facts.reading().commands().stream()
                .anyMatch(command ->
                        command.words().stream().allMatch(Word::isLiteral)
                                ? words.equals(texts(command))
                                : words.getFirst().equals(command.program()));
    }

    private static List<String> texts(SimpleCommand command) {
        return command.words().stream().map(Word::text).toList();
    }

    private static List<List<Case>> batches(List<Case> cases) {
        List<List<Case>> batches = new ArrayList<>();
        for (int from = 0; from < cases.size(); from += BATCH) {
            batches.add(cases.subList(from, Math.min(cases.size(), from + BATCH)));
        }
        return batches;
    }

    private static List<String> lines(List<Case> cases) {
        return cases.stream().map(Case::line).toList();
    }

    /** The file itself, or a folder that holds it. */
    private static boolean isReportedAsWritten(Path file, List<Case> cases) {
        return cases.stream()
                .flatMap(one -> one.facts().writes().stream())
                .anyMatch(file::startsWith);
    }

    /** Files that are there in one of the two only, or differ; folders change with their files. */
    private static Set<String> changed(Map<String, String> before, Map<String, String> after) {
        Set<String> changed = new TreeSet<>();
        Map<String, String> all = new TreeMap<>(before);
        all.putAll(after);
        for (String name : all.keySet()) {
            boolean same = String.valueOf(before.get(name)).equals(after.get(name));
            if (!same && !name.isEmpty() && !name.equals("src")) {
                changed.add(name);
            }
        }
        return changed;
    }
}
