package dev.agentloop.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.cost.Price;
import dev.agentloop.library.AgentLoop;
import dev.agentloop.library.AgentLoopBuilder;
import dev.agentloop.library.TypedTool;
import dev.agentloop.tool.Doc;
import dev.agentloop.tool.Tool;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class AgentKitTest {
    record Note(@Doc("Name of the file") String name, String text) {}

    private static Tool<?> notes() {
        return TypedTool.of(
                "write_note",
                "Writes a note.",
                Note.class,
                (note, context) -> {
                    Path file = context.workspace().root().resolve(note.name());
                    Files.writeString(file, note.text());
                    return "written";
                });
    }

    private static ScriptedModel script() {
        return new ScriptedModel()
                .calls("write_note", "{\"name\": \"todo.md\", \"text\": \"Buy milk\"}")
                .says("Noted.");
    }

    private static AgentLoopBuilder priced(AgentLoopBuilder agent) {
        BigDecimal each = BigDecimal.TEN;
        return agent.tool(notes()).price(new Price(each, each, each, each, each));
    }

    @AgentTest
    void whatTheAgentDidIsAsserted(AgentKit kit) {
        ScriptedModel model = script();
        kit.file("old.md", "Old").model(model);
        AgentLoop agent = kit.build(AgentKitTest::priced);

        assertEquals("Noted.", agent.runText("Remember the milk.").text());
        assertEquals(2, model.requests().size());
        kit.assertCalled("write_note")
                .assertCalled("write_note", 1)
                .assertCalledWith("write_note", "{\"text\":\"Buy milk\",\"name\":\"todo.md\"}")
                .assertNotCalled("delete_note")
                .assertCalls("write_note")
                .assertFile("todo.md", "Buy milk")
                .assertFileContains("old.md", "Ol")
                .assertNoFile("new.md")
                .assertCostsAtMost("0.0022")
                .assertTokensAtMost(220)
                .assertTurnsAtMost(2);
    }

    @AgentTest
    void whatItDidNotDoFailsTheTest(AgentKit kit) {
        kit.model(script()).build(AgentKitTest::priced).runText("Remember the milk.");

        refuses(() -> kit.assertCalled("delete_note"), "delete_note was not called");
        refuses(() -> kit.assertCalled("write_note", 2), "calls of write_note");
        refuses(() -> kit.assertCalledWith("write_note", "{\"name\":\"x\"}"), "Buy milk");
        refuses(() -> kit.assertNotCalled("write_note"), "was called");
        refuses(() -> kit.assertCalls("write_note", "write_note"), "expected");
        refuses(() -> kit.assertFile("todo.md", "Buy bread"), "todo.md");
        refuses(() -> kit.assertFileContains("todo.md", "bread"), "bread");
        refuses(() -> kit.assertFile("none.md", ""), "cannot be read");
        refuses(() -> kit.assertNoFile("todo.md"), "todo.md");
        refuses(() -> kit.assertCostsAtMost("0.001"), "$0.0022");
        refuses(() -> kit.assertTokensAtMost(100), "220");
        refuses(() -> kit.assertTurnsAtMost(1), "2 turns");
    }

    @AgentTest
    void whatWasRefusedWasNotCalled(AgentKit kit) {
        ScriptedModel model =
                new ScriptedModel()
                        .calls("write_note", "{\"name\": \"secret.md\", \"text\": \"x\"}")
                        .calls("write_note", "{\"title\": \"x\"}")
                        .calls("forget_note", "{}")
                        .says("I could not.");
        kit.model(model)
                .build(agent -> agent.tool(notes()).deny("write_note(*secret*)"))
                .runText("Remember the milk.");

        assertEquals(3, kit.calls().size());
        assertEquals(0, kit.ranCalls().size());
        kit.assertNotCalled("write_note").assertCalls();
        refuses(() -> kit.assertCalled("write_note"), "did not run: [Not allowed");
        refuses(() -> kit.assertCalled("write_note", 1), "calls of write_note");
        refuses(() -> kit.assertCalledWith("write_note", "{\"title\": \"x\"}"), "did not run");
        refuses(() -> kit.assertCalled("forget_note"), "There is no tool");
    }

    @Test
    void aScriptThatIsNotUsedUpFailsTheTest() throws IOException {
        try (AgentKit kit = new AgentKit()) {
            kit.model(script().says("One more thing.")).build(AgentKitTest::priced).runText("Go");

            refuses(kit::assertScriptIsOver, "One more thing.");
        }
    }

    private static void refuses(Executable assertion, String why) {
        AssertionError error = assertThrows(AssertionError.class, assertion);
        assertTrue(error.getMessage().contains(why), error::getMessage);
    }

    @AgentTest(cassette = "milk")
    void theModelsWordsComeFromTheCassette(AgentKit kit) {
        AgentLoop agent = kit.build(builder -> builder.systemPrompt("Take notes.").tool(notes()));

        assertEquals("Noted.", agent.runText("Remember the milk.").text());
        kit.assertCalls("write_note").assertFile("todo.md", "Buy milk");
    }

    /** Its words lead back to the folder that it works in, which is another one each time. */
    private static Tool<?> places() {
        return TypedTool.of(
                "where_is",
                "Tells where a note is.",
                Note.class,
                (note, context) -> context.workspace().root().resolve(note.name()).toString());
    }

    @Test
    void aCassetteIsHeldAgainInAnotherFolder(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("where.jsonl");
        ScriptedModel model =
                new ScriptedModel()
                        .calls("where_is", "{\"name\": \"todo.md\", \"text\": \"\"}")
                        .says("There.");
        try (AgentKit recording = new AgentKit(file, "test/scripted", true)) {
            recording.model(model).build(agent -> agent.tool(places())).runText("Where?");
        }
        try (AgentKit again = new AgentKit(file, "test/scripted", false)) {
            String said = again.build(agent -> agent.tool(places())).runText("Where?").text();
            assertEquals("There.", said);
        }
    }

    @Test
    void aCassetteIsRecordedAndThenHeldAgain(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("new/milk.jsonl");
        try (AgentKit missing = new AgentKit(file, "test/scripted", false)) {
            var e = assertThrows(IllegalStateException.class, () -> missing.build(it -> it));
            assertTrue(e.getMessage().contains("-Dagent.record=true"), e.getMessage());
        }
        try (AgentKit recording = new AgentKit(file, "test/scripted", true)) {
            recording
                    .model(script())
                    .build(builder -> builder.systemPrompt("Take notes.").tool(notes()))
                    .runText("Remember the milk.");
        }
        Path workspace;
        try (AgentKit again = new AgentKit(file, "test/scripted", false)) {
            workspace = again.workspace();
            again.build(builder -> builder.systemPrompt("Take notes.").tool(notes()))
                    .runText("Remember the milk.");
            again.assertCalls("write_note").assertFile("todo.md", "Buy milk");
        }
        assertTrue(Files.notExists(workspace));
    }
}
