package dev.agentloop.loop.call;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.ToolResult;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.ConfirmPreset;
import dev.agentloop.permission.Supervision;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.builtin.file.ApplyPatchTool;
import dev.agentloop.tool.builtin.file.EditFileTool;
import dev.agentloop.tool.builtin.file.ReadFileTool;
import dev.agentloop.tool.builtin.file.WriteFileTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nobody is asked about an edit that cannot succeed. */
class TrialEditTest {
    private static final String WRONG =
            "{\"file_path\":\"a.txt\",\"old_string\":\"two\",\"new_string\":\"2\"}";
    private static final String RIGHT =
            "{\"file_path\":\"a.txt\",\"old_string\":\"one\",\"new_string\":\"1\"}";
    private static final String PATCH =
            "{\"patch\":\"*** Begin Patch\\n*** Update File: a.txt\\n@@\\n-two\\n+2\\n*** End Patch\"}";

    private final List<String> asked = new ArrayList<>();

    @TempDir Path folder;

    @Test
    void anEditWithoutItsTextIsRefusedUnaskedAndTheNextOneIsAskedAbout() throws IOException {
        Files.writeString(folder.resolve("a.txt"), "one\n");
        AgentFixture agent =
                agent(calls("edit_file", WRONG), calls("edit_file", RIGHT), says("ok"));
        agent.run("go");

        ToolResult refused = agent.results().getFirst().result();
        assertTrue(refused.text().contains("old_string was not found"), refused::text);
        assertEquals(List.of("a.txt"), asked);
        assertEquals("1\n", Files.readString(folder.resolve("a.txt")));
    }

    @Test
    void aPatchThatDoesNotFitIsRefusedUnasked() throws IOException {
        Files.writeString(folder.resolve("a.txt"), "one\n");
        AgentFixture agent = agent(calls("apply_patch", PATCH), says("ok"));
        agent.run("go");

        ToolResult refused = agent.results().getFirst().result();
        assertTrue(refused.text().contains("does not fit"), refused::text);
        assertEquals(List.of(), asked);
    }

    @Test
    void whatMayNotBeReadUnaskedIsNotTriedBecauseTheRefusalWouldShowIt() throws IOException {
        Files.writeString(folder.resolve(".env"), "KEY=one\n");
        AgentFixture agent = agent(calls("edit_file", WRONG.replace("a.txt", ".env")), says("ok"));
        agent.supervised(Supervision.TRUSTED_TERMINAL).run("go");

        assertEquals(List.of(".env"), asked);
    }

    @Test
    void aSecretFileThatIsNotThereIsRefusedUnasked() throws IOException {
        AgentFixture agent = agent(calls("edit_file", WRONG.replace("a.txt", ".env")), says("ok"));
        agent.supervised(Supervision.TRUSTED_TERMINAL).run("go");

        String refused = agent.results().getFirst().result().text();
        assertTrue(refused.startsWith("No such file: .env"), refused);
        assertEquals(List.of(), asked);
    }

    @Test
    void aFileThatCannotBeWrittenIsRefusedUnasked() throws IOException {
        Files.writeString(folder.resolve("a.txt"), "one\n");
        Files.createLink(folder.resolve("b.txt"), folder.resolve("a.txt"));
        String below = "{\"file_path\":\"a.txt/x\",\"content\":\"1\"}";
        String shared = "{\"file_path\":\"b.txt\",\"content\":\"1\",\"mode\":\"append\"}";
        AgentFixture agent =
                agent(calls("write_file", below), calls("write_file", shared), says("ok"));
        agent.supervised(Supervision.TRUSTED_TERMINAL).run("go");

        String first = agent.results().getFirst().result().text();
        assertTrue(first.startsWith("A file is in the way: a.txt"), first);
        String second = agent.results().getLast().result().text();
        assertTrue(second.contains("hard links"), second);
        assertEquals(List.of(), asked);
        assertEquals("one\n", Files.readString(folder.resolve("a.txt")));
    }

    private AgentFixture agent(ScriptedLlm.Turn... turns) {
        ProcessRunner runner = new ProcessRunner(Map.of(), List.of());
        return AgentFixture.with(ScriptedLlm.of(turns))
                .in(folder)
                .tool(new EditFileTool())
                .tool(new WriteFileTool())
                .tool(new ApplyPatchTool())
                .tool(new ReadFileTool(false, runner))
                .confirming(ConfirmPreset.CONFIRM_SENSITIVE)
                .asking((ready, _, _) -> {
                    asked.add(ready.subject());
                    return new Approver.Answer.Yes();
                });
    }
}
