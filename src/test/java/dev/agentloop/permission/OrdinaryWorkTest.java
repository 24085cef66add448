package dev.agentloop.permission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.permission.Circumstances.Confinement;
import dev.agentloop.testing.ToolFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the default policy says to a whole day's work, and what the documentation says of it. */
final class OrdinaryWorkTest {
    @TempDir private Path folder;

    @Test
    @DisplayName("a day of ordinary work in a trusted terminal with a sandbox: five questions")
    void ordinaryWork() throws IOException {
        ToolFixture tools = PolicyFixture.tools(folder);
        PermissionPolicy policy =
                new PermissionPolicy(
                        List.of(),
                        ConfirmPreset.CONFIRM_SENSITIVE,
                        PolicyFixture.where(
                                tools, Confinement.CONFINED, Supervision.TRUSTED_TERMINAL),
                        Guardrails.NONE);
        List<String> asked = new ArrayList<>();
        List<String> work =
                Files.readAllLines(Path.of("src/test/resources/permission/ordinary-work.txt"));
        for (String line : work) {
            String[] parts = line.split(" ", 2);
            String tool =
                    switch (parts[0]) {
                        case "run" -> "run_command";
                        case "net" -> "network";
                        default -> parts[0] + "_file";
                    };
            Verdict verdict = policy.decide(PolicyFixture.ready(tools, tool, parts[1])).verdict();
            if (verdict != Verdict.ALLOW) {
                asked.add(verdict + " " + line);
            }
        }
        assertTrue(work.size() >= 100, "that is no day");
        assertEquals(
                List.of(
                        "ASK run git push origin feature/x",
                        "ASK net npm install",
                        "ASK net pip install -r requirements.txt"),
                asked);
    }

    @Test
    @DisplayName("the table in docs/permissions.md is the one that decides")
    void documented() throws IOException {
        StringBuilder rows = new StringBuilder();
        for (PolicyRow row : PolicyRow.values()) {
            rows.append("| ").append(row.id()).append(" | ").append(row.meaning());
            boolean asks = false;
            for (Supervision use : Supervision.values()) {
                rows.append(" | ");
                rows.append(
                        switch (row.verdict(use)) {
                            case ALLOW -> "run";
                            case ASK -> "ask";
                            case DENY -> "deny";
                        });
                asks |= row.verdict(use) != Verdict.ALLOW;
            }
            String lifted =
                    row.isLiftedByRule(false)
                            ? "any rule"
                            : row.isLiftedByRule(true) ? "named rule" : "nothing";
            rows.append(" | ").append(asks ? lifted : "");
            rows.append(" | ").append(!asks ? "" : row.isSkippedByYolo() ? "yes" : "no");
            rows.append(" |\n");
        }
        String page = Files.readString(Path.of("docs/permissions.md"));
        assertTrue(page.contains(rows), () -> "docs/permissions.md should hold\n" + rows);
    }
}
