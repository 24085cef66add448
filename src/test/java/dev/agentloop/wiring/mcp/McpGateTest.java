package dev.agentloop.wiring.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.config.McpServerConfig;
import dev.agentloop.config.McpServerConfig.Source;
import dev.agentloop.trust.ServerApprovals;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who decides that a server starts, at a terminal and without one. */
class McpGateTest {
    private static final Map<String, String> TOOLS = Map.of("echo", "digest-1");

    @TempDir Path folder;
    private final List<String> questions = new ArrayList<>();
    private boolean answer = true;

    private McpGate attended() {
        McpGate.Asker asker =
                new McpGate.Asker() {
                    @Override
                    public Optional<Boolean> agrees(String question) {
                        questions.add(question);
                        return Optional.of(answer);
                    }
                };
        return new McpGate(new ServerApprovals(folder), folder, asker, List.of());
    }

    private McpGate unattended(String... allowed) {
        return new McpGate(
                new ServerApprovals(folder), folder, McpGate.Asker.NOBODY, List.of(allowed));
    }

    private static McpGate.Candidate server(Source source, String fingerprint) {
        Duration second = Duration.ofSeconds(1);
        McpServerConfig config =
                new McpServerConfig(
                        "fake",
                        Optional.of("program"),
                        List.of(),
                        Map.of(),
                        Optional.empty(),
                        Map.of(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        second,
                        second,
                        true,
                        source);
        return new McpGate.Candidate(config, fingerprint, "  program\n  --flag\n");
    }

    private static void start(McpGate gate, McpGate.Candidate server, Map<String, String> tools)
            throws IOException {
        assertEquals(Optional.empty(), gate.beforeStart(server));
        assertEquals(Optional.empty(), gate.afterStart(server, tools));
    }

    @Test
    @Tag("P14")
    @DisplayName("the user's server starts at a terminal without a question")
    void ofTheUser() throws IOException {
        start(attended(), server(Source.USER, "a"), TOOLS);
        assertEquals(List.of(), questions);
    }

    @Test
    @Tag("P14")
    @DisplayName("without a terminal only a server that the command line names starts")
    void named() throws IOException {
        McpGate.Candidate server = server(Source.USER, "a");
        assertTrue(unattended().beforeStart(server).isPresent());
        assertTrue(unattended("mcp__other__*").beforeStart(server).isPresent());
        start(unattended("mcp__fake__echo(*)"), server, TOOLS);
        start(unattended(), server(Source.COMMAND_LINE, "a"), TOOLS);
    }

    @Test
    @Tag("P15")
    @DisplayName("a project's server is asked about once, with its whole command line")
    void ofTheProject() throws IOException {
        McpGate.Candidate server = server(Source.PROJECT, "a");
        answer = false;
        assertTrue(attended().beforeStart(server).isPresent());
        answer = true;
        start(attended(), server, TOOLS);
        assertTrue(questions.getLast().contains("  program\n  --flag\n"), questions::toString);
        start(attended(), server, TOOLS);
        assertEquals(2, questions.size());
    }

    @Test
    @Tag("P15")
    @DisplayName("an approval in one workspace says nothing about another")
    void otherWorkspace() throws IOException {
        start(attended(), server(Source.PROJECT, "a"), TOOLS);
        McpGate elsewhere =
                new McpGate(
                        new ServerApprovals(folder),
                        folder.resolve("other"),
                        _ -> Optional.of(false),
                        List.of());
        assertTrue(elsewhere.beforeStart(server(Source.PROJECT, "a")).isPresent());
    }

    @Test
    @Tag("D57")
    @DisplayName("what is started has changed: a question at a terminal, else not started")
    void changedProgram() throws IOException {
        start(attended(), server(Source.USER, "a"), TOOLS);
        assertTrue(unattended("mcp__fake__*").beforeStart(server(Source.USER, "b")).isPresent());
        start(attended(), server(Source.USER, "b"), TOOLS);
        assertTrue(questions.getFirst().contains("is not what was approved"));
        start(unattended("mcp__fake__*"), server(Source.USER, "b"), TOOLS);
    }

    @Test
    @Tag("D55")
    @DisplayName("changed and new tools are asked about by name; ones that went are not")
    void changedTools() throws IOException {
        McpGate.Candidate server = server(Source.USER, "a");
        start(attended(), server, Map.of("echo", "digest-1", "gone", "digest-2"));
        Map<String, String> now = Map.of("echo", "digest-9", "new\u001b[2J", "digest-3");
        String refused = unattended("mcp__fake__*").afterStart(server, now).orElse("");
        assertTrue(refused.contains("changed: echo"), refused);
        assertTrue(refused.contains("new: new\\u001b[2J"), refused);
        answer = false;
        assertTrue(attended().afterStart(server, now).isPresent());
        answer = true;
        assertEquals(Optional.empty(), attended().afterStart(server, now));
        assertEquals(Optional.empty(), unattended("mcp__fake__*").afterStart(server, now));

        questions.clear();
        assertEquals(Optional.empty(), attended().afterStart(server, Map.of("echo", "digest-9")));
        assertEquals(List.of(), questions);
    }
}
