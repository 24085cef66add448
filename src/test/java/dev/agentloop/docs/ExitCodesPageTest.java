package dev.agentloop.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.loop.run.StopReason;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ExitCodesPageTest {
    private static final Pattern REASON_ROW =
            Pattern.compile("(?m)^(\\| `\\w+` \\| \\w+ \\| \\d+ \\w+ \\|)");

    @Test
    void everyStopReasonStandsOnThePageWithItsStatusAndCode() {
        List<String> expected =
                Arrays.stream(StopReason.values()).map(ExitCodesPageTest::row).sorted().toList();

        List<String> listed =
                Page.matches(REASON_ROW, Page.of("docs/exit-codes.md").text()).stream()
                        .map(match -> match.group(1))
                        .sorted()
                        .toList();

        assertEquals(String.join("\n", expected), String.join("\n", listed));
    }

    @Test
    void everyExitCodeStandsInTheReadmeAndOnThePage() {
        for (ExitCode code : ExitCode.values()) {
            String row = "| " + code.code() + " | " + code.name() + " |";
            assertTrue(Page.of("README.md").text().contains(row), row);
            assertTrue(Page.of("docs/exit-codes.md").text().contains(row), row);
        }
    }

    private static String row(StopReason reason) {
        ExitCode code = ExitCode.of(reason);
        return "| `"
                + reason.wireName()
                + "` | "
                + reason.status().wireName()
                + " | "
                + code.code()
                + " "
                + code.name()
                + " |";
    }
}
