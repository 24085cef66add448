package dev.agentloop.session.export;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.message.Usage;
import dev.agentloop.session.Blobs;
import dev.agentloop.session.FileEffect;
import dev.agentloop.session.FileState;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.PreImage;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionSummary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page shows what a session holds, and nothing in it acts. */
class HtmlExportTest {
    private static final String EVIL =
            "<script>document.title='acted'</script><img src=x onerror=\"document.title='acted'\">"
                    + " [go](javascript:document.title='acted') ![see](https://evil.example/x.png)"
                    + " &lt;b&gt; \u202egnp.exe </pre></details></style>";

    @Test
    @DisplayName("edits are diffs, a plan is a list, commands are folded, what was paid is a chart")
    void showsTheWork() {
        String page =
                page(
                        new Message.User("mend it\n\n<surroundings>\nDate: x\n</surroundings>"),
                        calls(
                                call(
                                        "c1",
                                        "edit_file",
                                        "{\"file_path\":\"a.py\",\"old_string\":\"a\\nb\\nc\","
                                                + "\"new_string\":\"a\\nB\\nc\"}"),
                                call(
                                        "c2",
                                        "todo_write",
                                        "{\"todos\":[{\"content\":\"look\",\"status\":\"completed\"}]}"),
                                call("c3", "run_command", "{\"command\":\"make test\"}"),
                                call("c4", "apply_patch", "{\"patch\":\"@@ x\\n-old\\n+new\"}")),
                        new Message.Tool("c1", ToolResult.ok("Edited a.py")),
                        new Message.Tool("c2", ToolResult.ok("ok")),
                        new Message.Tool("c3", ToolResult.error("FAIL: sum")),
                        new Message.Assistant(
                                List.of(
                                        new Block.Text(
                                                "# Done\n\n| a | b |\n|---|---|\n| 1 | 2 |"))));

        assertTrue(page.contains("<div class=\"user\">mend it</div>"), page);
        assertTrue(page.contains("<td class=\"d\">-b</td>"), page);
        assertTrue(page.contains("<td class=\"a\">+B</td>"), page);
        assertTrue(page.contains("<td class=\"d\">-old</td>"), page);
        assertTrue(page.contains("<li>☑ look</li>"), page);
        assertTrue(page.contains("<pre>$ make test</pre>"), page);
        assertTrue(page.contains("<details open><summary>Result: <span class=\"bad\">error"), page);
        assertTrue(page.contains("<h1>Done</h1>"), page);
        assertTrue(page.contains("<td>2</td>"), page);
        assertTrue(page.contains("<title>Call 2 (agent): 400 in, 300 of it cached, 50 out"), page);
    }

    @Test
    @DisplayName("what people, models and tools said is text, wherever it stands")
    void nothingActs() {
        String page = hostile();

        assertEquals(2, page.split("<script", -1).length, "its own, and no other");
        assertEquals(2, page.split("</style>", -1).length, "its own, and no other");
        assertFalse(page.contains("<img"), page);
        assertFalse(page.contains("<a "), page);
        assertFalse(page.contains("\u202e"), page);
        assertTrue(page.contains("see (https://evil.example/x.png)"), page);
        assertTrue(page.contains("default-src 'none'"), page);
    }

    @Test
    @DisplayName("a browser runs nothing of a hostile session, and the page's own script")
    void inABrowser(@TempDir Path folder) throws Exception {
        Path chromium = Path.of("/usr/bin/chromium");
        assumeTrue(Files.isExecutable(chromium), "no chromium on this machine");
        Path file = Files.writeString(folder.resolve("page.html"), hostile());
        Process browser =
                new ProcessBuilder(
                                chromium.toString(),
                                "--headless",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--user-data-dir=" + folder.resolve("profile"),
                                "--virtual-time-budget=3000",
                                "--dump-dom",
                                file.toUri().toString())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        String dom = new String(browser.getInputStream().readAllBytes(), UTF_8);
        assertTrue(browser.waitFor(60, TimeUnit.SECONDS));

        assertTrue(dom.contains("<title>&lt;script&gt;"), dom);
        assertFalse(dom.contains("<title>acted"), dom);
        assertTrue(dom.contains("<nav aria-label"), "its own script has shown the search: " + dom);
    }

    @Test
    @DisplayName("long lines, deep nesting and a thousand steps take no time to speak of")
    void hugeSessions() {
        List<Message> messages = new ArrayList<>(List.of(new Message.User("x".repeat(2_000_000))));
        for (String deep : List.of(">", "- ", "*", "[", "![", "`", "|a|\n|-|\n", "<b>", "_*")) {
            messages.add(
                    new Message.Assistant(List.of(new Block.Text(deep.repeat(40_000) + " end"))));
        }
        for (int i = 0; i < 1_000; i++) {
            messages.add(calls(call("c" + i, "write_file", "{\"content\":\"a\\nb\"}")));
            messages.add(new Message.Tool("c" + i, ToolResult.ok("ok")));
        }
        String page =
                assertTimeoutPreemptively(
                        Duration.ofSeconds(60), () -> page(messages.toArray(new Message[0])));
        assertTrue(page.contains("id=\"step-1009\""), "all steps");
    }

    private static String hostile() {
        return page(
                new Message.User(EVIL),
                calls(
                        call("c1", EVIL, EVIL),
                        call("c2", "edit_file", "{\"file_path\":3,\"edits\":\"no list\"}"),
                        call("c3", "todo_write", "[]"),
                        call("c4", "apply_patch", "{\"patch\":\"@@ -9999999999 +1 @@\\n-x\"}")),
                new Message.Tool("c1", ToolResult.ok(EVIL)),
                new Message.Tool("nobody's", ToolResult.ok(EVIL)),
                new Message.Assistant(
                        List.of(new Block.Reasoning(EVIL, ""), new Block.Text("# " + EVIL))));
    }

    private static ToolCall call(String id, String name, String arguments) {
        return new ToolCall(id, name, arguments);
    }

    private static Message calls(ToolCall... calls) {
        List<Block> blocks = new ArrayList<>();
        for (ToolCall call : calls) {
            blocks.add(new Block.Call(call));
        }
        return new Message.Assistant(blocks);
    }

    @Test
    @DisplayName("an edit of a file that the session has kept has its place and the lines around")
    void keptFile() {
        String edit =
                """
                {"file_path":"a.py","old_string":"six","new_string":"SIX"}\
                """;
        String page =
                page(
                        List.of(edited("c1", "kept"), edited("c2", "kept"), edited("c3", "gone")),
                        calls(
                                call("c1", "edit_file", edit),
                                call("c2", "edit_file", edit.replace("six", "not there")),
                                call("c3", "edit_file", edit.replace("six", "lost"))));

        assertTrue(
                page.contains(
                        "<td class=\"n\">6</td><td class=\"d\">-six</td>"
                                + "<td class=\"n\">6</td><td class=\"a\">+SIX</td>"),
                page);
        assertTrue(page.contains("<td class=\"n\">5</td><td>five</td>"), page);
        assertFalse(page.contains("<td>two</td>"), page);
        assertTrue(page.contains("<td class=\"n\"></td><td class=\"d\">-not there</td>"), page);
        assertTrue(page.contains("<td class=\"n\"></td><td class=\"d\">-lost</td>"), page);
    }

    private static FileEffect edited(String call, String blob) {
        FileState file = new FileState(FileState.Kind.FILE, "mark", 0);
        return new FileEffect(
                1,
                1,
                1,
                call,
                List.of(new PreImage("a.py", file, file, blob, "")),
                Map.of(),
                false);
    }

    /** The contents that the session keeps. */
    private static Blobs kept() throws IOException {
        Blobs kept = mock(Blobs.class);
        when(kept.read("kept"))
                .thenReturn("one\ntwo\nthree\nfour\nfive\nsix\nseven\n".getBytes(UTF_8));
        when(kept.read("gone")).thenThrow(new NoSuchFileException("gone"));
        return kept;
    }

    private static String page(Message... messages) {
        return page(List.of(), messages);
    }

    private static String page(List<FileEffect> effects, Message... messages) {
        Instant now = Instant.parse("2026-11-27T12:00:00Z");
        var first = new SavedSession.Paid("agent", new Usage(100, 10, 0, 0, 0, false), "0.01");
        var second = new SavedSession.Paid("agent", new Usage(100, 50, 300, 0, 0, false), null);
        SavedSession session =
                new SavedSession(
                        new SessionSummary("id", now, now, EVIL, EVIL, "build", EVIL, "success", 1),
                        List.of(),
                        List.of(messages),
                        1,
                        1,
                        new Usage(200, 60, 300, 0, 0, false),
                        new BigDecimal("0.01"),
                        List.of(first, second),
                        1_000,
                        List.of(),
                        effects,
                        1,
                        List.of(),
                        List.of(),
                        List.of(),
                        Map.of(),
                        JournalRecord.Capped.NOTHING,
                        JournalRecord.Terms.UNKNOWN,
                        "",
                        false,
                        SavedSession.Measure.NONE,
                        SavedSession.Held.NOTHING);
        try {
            return new HtmlExport().text(session, kept());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
