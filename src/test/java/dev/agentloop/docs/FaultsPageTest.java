package dev.agentloop.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of faults is made from the tags and names of tests, so no fault on it lacks a test. */
class FaultsPageTest {
    private static final Path TESTS = Path.of("src/test/java");
    private static final int ROWS = 72;
    private static final String TEXT = "\\s*\"((?:[^\"\\\\]|\\\\.)*)\"";

    /** The ids of a test are its tags; those of one of its cases stand in front of its name. */
    private static final Pattern CASE = Pattern.compile("(?:name = |Arguments\\.of\\()" + TEXT);

    private static final Pattern TAGGED =
            Pattern.compile("@Tag\\(\"(A\\d\\d)\"\\)((?s:.*?)) void (\\w+)\\(");
    private static final Pattern DISPLAYED = Pattern.compile("@DisplayName\\(" + TEXT);
    private static final Pattern ID = Pattern.compile("\\bA\\d\\d\\b");

    /** Ids, scenario numbers and what separates them, in front of a name. */
    private static final Pattern NUMBERS =
            Pattern.compile("^(?:(?:Scenario )?(?:[A-Z]\\d\\d|\\d+)[,:]? )+");

    /** One test of a fault. */
    private record Row(String id, String given, String test) {
        String line() {
            return "| %s | %s | `%s` |\n".formatted(id, given, test);
        }
    }

    @Test
    void everyFaultHasATest() throws IOException {
        List<String> tested = rows().stream().map(Row::id).distinct().toList();
        List<String> missing =
                IntStream.rangeClosed(1, ROWS)
                        .mapToObj("A%02d"::formatted)
                        .filter(id -> !tested.contains(id))
                        .toList();

        assertEquals(List.of(), missing);
    }

    @Test
    void thePageListsTheTestsOfEachFault() throws IOException {
        Map<String, String> lines = new TreeMap<>();
        for (Row row : rows()) {
            lines.merge(row.id(), row.line(), String::concat);
        }

        String table = "| fault | given and required | test |\n|---|---|---|\n";
        Page.of("docs/faults.md").checkPart("faults", table + String.join("", lines.values()));
    }

    private static List<Row> rows() throws IOException {
        List<Row> rows = new ArrayList<>();
        try (Stream<Path> files = Files.walk(TESTS)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
                String test = file.getFileName().toString().replace(".java", "");
                String source = Files.readString(file);
                for (MatchResult name : Page.matches(CASE, source)) {
                    add(rows, name.group(1), test);
                }
                for (MatchResult tag : tags(source)) {
                    add(rows, tag.group(1) + ": " + story(tag.group(2), tag.group(3)), test);
                }
            }
        }
        return rows;
    }

    /** Each tag, although tests have several: the next search begins right behind it. */
    private static List<MatchResult> tags(String source) {
        List<MatchResult> tags = new ArrayList<>();
        Matcher next = TAGGED.matcher(source);
        for (int from = 0; next.find(from); from = next.start() + 1) {
            tags.add(next.toMatchResult());
        }
        return tags;
    }

    /** What a test shows: its name for people, or else that of its method in words. */
    private static String story(String annotations, String method) {
        List<MatchResult> displayed = Page.matches(DISPLAYED, annotations);
        return displayed.isEmpty()
                ? method.replaceAll("(?=[A-Z])", " ").toLowerCase(Locale.ROOT)
                : displayed.getFirst().group(1);
    }

    private static void add(List<Row> rows, String name, String test) {
        String given = NUMBERS.matcher(name).replaceFirst("").replaceAll("'*\\{\\d}'*", "…");
        String shown = given.replace("\\\"", "\"").replace("|", "\\|");
        Page.matches(ID, name).stream()
                .map(MatchResult::group)
                .distinct()
                .filter(id -> Integer.parseInt(id.substring(1)) <= ROWS)
                .forEach(id -> rows.add(new Row(id, shown, test)));
    }
}
