package dev.agentloop.secret;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.json.Json;
import dev.agentloop.message.Message;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.MemoryJournal;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.builtin.file.ApplyPatchTool;
import dev.agentloop.tool.builtin.file.EditFileTool;
import dev.agentloop.tool.builtin.file.MoveFileTool;
import dev.agentloop.tool.builtin.file.ReadFileTool;
import dev.agentloop.tool.builtin.file.WriteFileTool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Towards the model a placeholder stands for a secret; no file ever holds one. */
class PlaceholdersTest {
    private static final String VALUE = "Tr0ub4dor&3\\x";
    private static final Secrets SECRETS = Secrets.of(Map.of("DB_PASSWORD", VALUE));
    private static final byte[] KEY = new MemoryJournal().key();

    @TempDir Path folder;

    private final Placeholders placeholders = Placeholders.of(SECRETS, () -> KEY);
    private final String placeholder = placeholders.hide(VALUE);

    private List<Message.Tool> run(ScriptedLlm.Turn... turns) {
        AgentFixture agent =
                AgentFixture.with(ScriptedLlm.of(turns))
                        .in(folder)
                        .secrets(SECRETS)
                        .tool(new ReadFileTool(false, null))
                        .tool(new EditFileTool())
                        .tool(new WriteFileTool())
                        .tool(new ApplyPatchTool())
                        .tool(new MoveFileTool());
        agent.run("go");
        return agent.results();
    }

    private String text(List<Message.Tool> results, int index) {
        return results.get(index).result().text();
    }

    private Path env(String content) throws Exception {
        return Files.writeString(folder.resolve("env"), content);
    }

    private static String edit(String old, String with) {
        return "{\"file_path\":\"env\",\"old_string\":%s,\"new_string\":%s}"
                .formatted(Json.quote(old), Json.quote(with));
    }

    @Test
    @Tag("D36")
    @DisplayName("the model reads a placeholder, edits around it, and the value stays")
    void editsAround() throws Exception {
        Path env = env("A=1\r\nPASS=" + VALUE + "\r\nB=2\r\n");
        List<Message.Tool> results =
                run(
                        calls("read_file", "{\"file_path\":\"env\"}"),
                        calls(
                                "edit_file",
                                edit(
                                        "PASS=" + placeholder + "\nB=2",
                                        "PASS=" + placeholder + "\nB=3")),
                        says("Done."));

        assertTrue(text(results, 0).contains("PASS=" + placeholder), text(results, 0));
        assertFalse(text(results, 0).contains(VALUE));
        assertFalse(results.get(1).result().isError(), text(results, 1));
        assertEquals("A=1\r\nPASS=" + VALUE + "\r\nB=3\r\n", Files.readString(env));
    }

    @Test
    @Tag("D36")
    @DisplayName("a file written anew and a patch keep the value that they had")
    void otherTools() throws Exception {
        Path env = env("A=1\nPASS=" + VALUE + "\nB=2\n");
        String whole = "X=0\nPASS=" + placeholder + "\nB=2\n";
        String patch =
                "*** Begin Patch\n*** Update File: env\n@@\n-X=0\n+X=1\n PASS="
                        + placeholder
                        + "\n B=2\n*** End Patch";
        List<Message.Tool> results =
                run(
                        calls("read_file", "{\"file_path\":\"env\"}"),
                        calls(
                                "write_file",
                                "{\"file_path\":\"env\",\"content\":" + Json.quote(whole) + "}"),
                        calls("apply_patch", "{\"patch\":" + Json.quote(patch) + "}"),
                        says("Done."));

        assertFalse(results.get(1).result().isError(), text(results, 1));
        assertFalse(results.get(2).result().isError(), text(results, 2));
        assertEquals("X=1\nPASS=" + VALUE + "\nB=2\n", Files.readString(env));
    }

    @Test
    @Tag("D36")
    @DisplayName("a placeholder goes to no other file, no path and no other tool")
    void nowhereElse() throws Exception {
        env("PASS=" + VALUE + "\n");
        Path other = Files.writeString(folder.resolve("other"), "nothing\n");
        String content = Json.quote("PASS=" + placeholder);
        List<Message.Tool> results =
                run(
                        calls("read_file", "{\"file_path\":\"env\"}"),
                        calls("write_file", "{\"file_path\":\"new\",\"content\":" + content + "}"),
                        calls(
                                "write_file",
                                "{\"file_path\":\"other\",\"content\":" + content + "}"),
                        calls("read_file", "{\"file_path\":\"" + placeholder + "\"}"),
                        calls(
                                "move_file",
                                "{\"source_path\":\"env\",\"destination_path\":\""
                                        + placeholder
                                        + "\"}"),
                        says("Done."));

        for (int i = 1; i < results.size(); i++) {
            assertTrue(results.get(i).result().isError(), text(results, i));
            assertTrue(text(results, i).contains("stands for a secret"), text(results, i));
        }
        assertTrue(text(results, 1).contains("is not in this file"), text(results, 1));
        assertFalse(Files.exists(folder.resolve("new")));
        assertEquals("nothing\n", Files.readString(other));
        assertEquals("PASS=" + VALUE + "\n", Files.readString(folder.resolve("env")));
    }

    @Test
    @Tag("D36")
    @DisplayName("a placeholder that a model spells with escapes is none the less refused")
    void escaped() throws Exception {
        Path env = env("PASS=" + VALUE + "\nB=2\n");
        String escaped = placeholder.replace("[[secret", "\\u005b[s\\u0065cret");
        List<Message.Tool> results =
                run(
                        calls("read_file", "{\"file_path\":\"env\"}"),
                        calls(
                                "edit_file",
                                "{\"file_path\":\"env\",\"old_string\":\"B=2\",\"new_string\":\""
                                        + escaped
                                        + "\"}"),
                        says("Done."));

        assertTrue(results.get(1).result().isError(), text(results, 1));
        assertEquals("PASS=" + VALUE + "\nB=2\n", Files.readString(env));
    }

    @Test
    @Tag("D36")
    @DisplayName("text that only looks like a placeholder is text")
    void lookalike() throws Exception {
        String alike = "[[secret:DB_PASSWORD:0123456789abcdef0123]]";
        Path env = env("PASS=" + VALUE + "\n# " + alike + "\n");
        List<Message.Tool> results =
                run(
                        calls("read_file", "{\"file_path\":\"env\"}"),
                        calls("edit_file", edit("# " + alike, "## " + alike)),
                        says("Done."));

        assertFalse(results.get(1).result().isError(), text(results, 1));
        assertEquals("PASS=" + VALUE + "\n## " + alike + "\n", Files.readString(env));
    }

    @Test
    @Tag("D36")
    @DisplayName("random edits of random files change nothing but what they say")
    void randomEdits() throws Exception {
        Random random = new Random(36);
        List<String> lines =
                List.of(
                        "PASS=" + VALUE,
                        "A=1",
                        "",
                        "url: http://u:s3cr3t\"@h/",
                        "\t# ü 中",
                        "\"}]",
                        "key: AKIAIOSFODNN7EXAMPLE",
                        "[[secret:X:00]]",
                        "B64=" + base64(VALUE));
        for (int round = 0; round < 60; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = 3 + random.nextInt(9); i > 0; i--) {
                text.append(lines.get(random.nextInt(lines.size()))).append("  #").append(i);
                text.append('\n');
            }
            String before = text.toString();
            Path env = env(before);
            int from = before.indexOf('\n', random.nextInt(before.length() / 2)) + 1;
            int to = before.lastIndexOf('\n') + 1;
            String old = before.substring(from, to);
            String with = old + "# added " + round + "\n";
            List<Message.Tool> results =
                    run(
                            calls("read_file", "{\"file_path\":\"env\"}"),
                            calls(
                                    "edit_file",
                                    edit(placeholders.hide(old), placeholders.hide(with))),
                            says("Done."));

            assertFalse(text(results, 0).contains(VALUE), text(results, 0));
            assertFalse(results.get(1).result().isError(), before + text(results, 1));
            assertEquals(before.substring(0, from) + with, Files.readString(env));
        }
    }

    @Test
    @Tag("D36")
    @DisplayName("a placeholder is the same in the whole session and in no other")
    void stable() {
        assertEquals(placeholder, Placeholders.of(SECRETS, () -> KEY).hide(VALUE));
        assertNotEquals(placeholder, Placeholders.of(SECRETS, () -> new byte[32]).hide(VALUE));
        assertEquals(
                List.of(),
                List.copyOf(Placeholders.of(SECRETS, () -> new byte[32]).in(placeholder)));
        assertEquals("a " + VALUE, Placeholders.off().hide("a " + VALUE));
    }

    private static String base64(String text) {
        return java.util.Base64.getEncoder().encodeToString(text.getBytes());
    }
}
