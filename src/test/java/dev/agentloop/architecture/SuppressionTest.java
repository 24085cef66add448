package dev.agentloop.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SuppressionTest {
    private static final Pattern SUPPRESSION =
            Pattern.compile("^\\s*@Suppress" + "Warnings\\(|CHECKSTYLE" + ":OFF");
    private static final Pattern WITH_REASON =
            Pattern.compile(
                    "@Suppress" + "Warnings\\(.*\\) +// \\w.{10,}|CHECKSTYLE" + ":OFF .{10,}");

    @Test
    void everySuppressionSaysWhyOnItsLine() {
        List<String> silent =
                Stream.of("src/main", "src/test/java")
                        .flatMap(root -> new Sources(Path.of(root)).files().stream())
                        .flatMap(source ->
                                source.text()
                                        .lines()
                                        .filter(line -> SUPPRESSION.matcher(line).find())
                                        .filter(line -> !WITH_REASON.matcher(line).find())
                                        .map(line -> source + ": " + line.strip()))
                        .toList();

        assertEquals(List.of(), silent);
    }
}
