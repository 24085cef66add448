package dev.agentloop.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Await;
import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.mcp.channel.Backlog;
import dev.agentloop.mcp.channel.LastBytes;
import dev.agentloop.mcp.channel.McpException;
import dev.agentloop.mcp.channel.ServerSpec;
import dev.agentloop.message.ToolResult;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.testing.FakeMcp;
import dev.agentloop.testing.ToolFixture;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that is a child process, well-behaved and not. */
@Timeout(60)
class StdioServerTest {
    @TempDir Path workspace;

    @Test
    @DisplayName("a server's tools are called by their own names and answer in text and pictures")
    void answers() throws Exception {
        try (var fake = FakeServer.started(workspace)) {
            assertEquals("hello", fake.said("hello"));
            ToolResult failed = fake.call("fail");
            assertEquals(ToolResult.Kind.ERROR, failed.kind());
            assertEquals("there is no such city", failed.text());
            ToolResult picture = fake.call("picture");
            assertEquals("image/png", picture.images().getFirst().mediaType());
            assertTrue(picture.text().contains("[audio, 6 bytes, not shown]"), picture::text);
            assertEquals("{\"degrees\":21}", fake.call("structured").text());
            String links = fake.call("links").text();
            assertTrue(links.contains("[resource a: file:///a.txt]"), links);
            assertTrue(links.contains("[file:///b.txt]\ninside"), links);
            assertTrue(links.contains("[file:///c.bin, 3 bytes, not shown]"), links);
        }
    }

    @Test
    @Tag("D78")
    @DisplayName("garbage, a second answer, wrong ids and a flood on stderr change nothing")
    void noiseIsLeftOut() throws Exception {
        try (var fake =
                FakeServer.started(workspace, "garbage", "twice", "wrong-id", "noisy", "early")) {
            assertEquals("one", fake.said("one"));
            assertEquals("two", fake.said("two"));
        }
    }

    @Test
    @DisplayName("answers out of order reach the call that each belongs to")
    void outOfOrder() throws Exception {
        try (var fake = FakeServer.started(workspace, "reversed")) {
            var first = CompletableFuture.supplyAsync(() -> fake.said("one"));
            var second = CompletableFuture.supplyAsync(() -> fake.said("two"));
            assertEquals("one", first.get());
            assertEquals("two", second.get());
        }
    }

    @Test
    @Tag("D78")
    @DisplayName("ping with id 0 and roots are answered, sampling and elicitation refused")
    void requestsOfTheServer() throws Exception {
        try (var fake = FakeServer.started(workspace, "asks")) {
            String answers = fake.call("answers").text();
            for (int i = 0; i < 50 && !answers.contains("elicitation"); i++) {
                Thread.sleep(20);
                answers = fake.call("answers").text();
            }
            assertTrue(answers.startsWith("[{}, {\"roots\""), answers);
            assertTrue(answers.contains(workspace.toUri().toString()), answers);
            assertTrue(answers.contains("sampling/createMessage is not supported"), answers);
            assertTrue(answers.contains("elicitation/create is not supported"), answers);
        }
    }

    @Test
    @Tag("D78")
    @DisplayName("a call that is never answered ends with its time and is taken back")
    void timeout() throws Exception {
        try (var fake = FakeServer.started(workspace, Duration.ofMillis(300), Map.of())) {
            ToolResult late = fake.call("wait");
            assertEquals(ToolResult.Kind.ERROR, late.kind());
            assertTrue(late.text().contains("did not answer tools/call within 0.3 s"), late::text);
            assertTrue(fake.call("answers").text().contains("\"reason\": \"timeout\""));
        }
    }

    @Test
    @DisplayName("a call that tells of its progress may take longer than one that is silent")
    void progress() throws Exception {
        try (var fake = FakeServer.started(workspace, Duration.ofMillis(900), Map.of())) {
            assertEquals("all parts", fake.call("steps").text());
        }
    }

    @Test
    @DisplayName("a cancelled call ends at once and is taken back")
    void cancelled() throws Exception {
        try (var fake = FakeServer.started(workspace)) {
            var call = CompletableFuture.supplyAsync(() -> fake.call("wait"));
            Thread.sleep(200);
            fake.fixture.cancellation.cancel(new Cause.Abort());
            assertEquals(ToolResult.Kind.CANCELLED, call.get().kind());
        }
    }

    @Test
    @Tag("D78")
    @DisplayName("a server that ends during a call fails that call and all later ones")
    void crash() throws Exception {
        try (var fake = FakeServer.started(workspace)) {
            ToolResult cut = fake.call("crash");
            assertTrue(cut.text().contains("exit code 7"), cut::text);
            assertTrue(cut.text().contains("out of luck"), cut::text);
            assertTrue(fake.said("hello").contains("None of its tools works"));
        }
    }

    @Test
    @Tag("D78")
    @DisplayName("what a server leaves behind when it ends is ended at once, not with the run")
    void leftBehind() throws Exception {
        try (var fake = FakeServer.started(workspace, "leaves")) {
            assertTrue(fake.call("crash").isError());
            long left = Long.parseLong(Files.readString(workspace.resolve("left")));
            Await.until(
                    "the end of what it left",
                    () -> ProcessHandle.of(left).filter(ProcessHandle::isAlive).isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"huge", "flood"})
    @Tag("D78")
    @DisplayName("a line without end and notifications without end fail the server, no more")
    void bounded(String tool) throws Exception {
        try (var fake = FakeServer.started(workspace)) {
            ToolResult over = fake.call(tool);
            assertEquals(ToolResult.Kind.ERROR, over.kind());
            String why = tool.equals("huge") ? "more than 8 MB" : "nobody had asked for";
            assertTrue(over.text().contains(why), over::text);
        }
    }

    @Test
    @Tag("D78")
    @DisplayName("who hangs in initialize, ends at once or speaks another version has failed")
    void cannotStart() {
        ProcessRunner processes = new ProcessRunner(System.getenv(), List.of());
        Map<String, String> expected =
                Map.of(
                        "silent", "did not answer initialize within 0.5 s",
                        "fatal", "exit code 3; its last words: cannot open the database",
                        "old", "1999-01-01");
        expected.forEach((fault, words) -> {
            var spec =
                    new ServerSpec(
                            "fake",
                            new ServerSpec.Program(FakeMcp.argv(fault), Map.of()),
                            List.of(),
                            Duration.ofSeconds(60));
            try (var server = FakeServer.server(spec, processes, workspace)) {
                Duration patience = Duration.ofMillis(fault.equals("silent") ? 500 : 60_000);
                McpException failed =
                        assertThrows(
                                McpException.class,
                                () -> server.start(patience, new Cancellation()));
                assertTrue(failed.problem().contains(words), failed::problem);
            }
        });
        processes.killAll();
    }

    @Test
    @Tag("D78")
    @DisplayName("of what a server says aside the last 64 KB are kept")
    void saidAside() {
        LastBytes said = new LastBytes();
        byte[] noise = "noise\n".repeat(100_000).getBytes(StandardCharsets.UTF_8);
        byte[] last = "cannot go on\n".getBytes(StandardCharsets.UTF_8);
        said.drain(new ByteArrayInputStream(noise));
        said.drain(new ByteArrayInputStream(last));
        assertEquals(64 * 1024, said.held());
        assertTrue(said.lastLine().endsWith("noise cannot go on"), said::lastLine);
    }

    @Test
    @Tag("D59")
    @DisplayName("a server sees declared variables and harmless ones, no others")
    void environment() throws Exception {
        Map<String, String> machine =
                Map.of(
                        "PATH",
                        System.getenv("PATH"),
                        "HOME",
                        workspace.toString(),
                        "GITHUB_TOKEN",
                        "ghp_canary",
                        "GRANTED_TOKEN",
                        "granted-to-commands");
        ProcessRunner processes = new ProcessRunner(machine, List.of("GRANTED_TOKEN"));
        var program = new ServerSpec.Program(FakeMcp.argv(), Map.of("DECLARED_TOKEN", "declared"));
        var spec = new ServerSpec("fake", program, List.of("env"), Duration.ofSeconds(60));
        try (var server = FakeServer.server(spec, processes, workspace)) {
            server.start(Duration.ofSeconds(10), new Cancellation());
            var fixture = ToolFixture.with(workspace, server.tools());
            String seen = fixture.call("mcp__fake__env").text();
            assertTrue(seen.contains("DECLARED_TOKEN=declared"), seen);
            assertFalse(seen.contains("ghp_canary"), seen);
            assertFalse(seen.contains("granted-to-commands"), seen);
            assertEquals(1, server.tools().size());
        }
        processes.killAll();
    }

    @Test
    @Tag("D56")
    @DisplayName("names are spaced, plain, short and each its own; descriptions are harmless")
    void names() throws Exception {
        try (var fake = FakeServer.started(workspace, "names")) {
            List<String> names = fake.names();
            assertEquals(9 + 4, new HashSet<>(names).size());
            for (String name : names) {
                assertTrue(name.matches("mcp__fake__[A-Za-z0-9_-]{1,53}"), name);
                String described = fake.tool(name).spec().description();
                assertTrue(described.length() <= 2_048, name);
                boolean ours = described.contains("of the MCP server fake");
                assertTrue(ours || described.equals("plain[2Jtext") || described.startsWith("aaa"));
            }
            assertTrue(names.contains("mcp__fake__read_file"), names::toString);
            assertTrue(names.contains("mcp__fake__get_time"), names::toString);
        }
    }

    @Test
    @Tag("D78")
    @DisplayName("a schema that refers to itself is passed on as it is")
    void cyclicSchema() throws Exception {
        try (var fake = FakeServer.started(workspace, "cyclic")) {
            String schema = fake.tool("mcp__fake__tree").spec().parameters();
            assertTrue(schema.contains("\"next\":{\"$ref\":\"#/$defs/node\"}"), schema);
            assertEquals(ToolResult.Kind.ERROR, fake.call("tree").kind());
        }
    }

    @Test
    @DisplayName("all pages of a list are read, and a list that begins anew is read once")
    void pages() throws Exception {
        try (var fake = FakeServer.started(workspace, "pages")) {
            assertEquals(13 + 4, fake.names().size());
        }
    }

    @Test
    @DisplayName("resources and prompts are listed and read by tools of ours")
    void library() throws Exception {
        try (var fake = FakeServer.started(workspace)) {
            String resources = fake.call("list_resources").text();
            assertTrue(resources.contains("memo://one  one: A memo.\n"), resources);
            assertTrue(resources.contains("memo://{name}  any\n"), resources);
            assertEquals(
                    "[memo://one]\nthe memo of memo://one",
                    fake.call("read_resource", "uri", "memo://one").text());
            assertEquals("greet\n  who\n", fake.call("list_prompts").text());
            String prompt =
                    fake.fixture
                            .callRaw(
                                    "mcp__fake__get_prompt",
                                    "{\"name\":\"greet\",\"arguments\":{\"who\":\"Ada\"}}")
                            .text();
            assertEquals("[user]\nGreet Ada", prompt);
        }
    }

    @Test
    @Tag("D55")
    @DisplayName("a tool that changes during the run is withdrawn, those unchanged stay")
    void changedTools() throws Exception {
        try (var fake = FakeServer.started(workspace, "changes")) {
            assertEquals("one", fake.said("one"));
            Thread.sleep(100); // the notice comes after the answer
            assertTrue(fake.said("two").contains("has changed what it is"), "changed");
            assertTrue(fake.call("fail").text().contains("does not offer it any more"), "gone");
            assertEquals("{\"degrees\":21}", fake.call("structured").text());
        }
    }

    @Test
    @Tag("D55")
    @DisplayName("a server that does not say what its tools are now is not believed meanwhile")
    void secretive() throws Exception {
        try (var fake = FakeServer.started(workspace, "changes", "secretive")) {
            assertEquals("one", fake.said("one"));
            Thread.sleep(100); // the notice comes after the answer
            assertTrue(fake.said("two").contains("not now"), "first refusal");
            assertTrue(fake.said("three").contains("not now"), "second refusal");
            assertTrue(fake.said("four").contains("has changed what it is"), "changed");
        }
    }

    @Test
    @Tag("D78")
    @DisplayName("progress without end does not stretch the start, and few lines are shown")
    void progressWithoutEnd() throws Exception {
        try (var fake = FakeServer.started(workspace, Duration.ofSeconds(20), Map.of())) {
            assertEquals("all words", fake.call("chatter").text());
            int shown = fake.fixture.progress.size();
            assertTrue(shown >= 1 && shown <= 20, () -> shown + " lines");
        }
        assertTrue(failureOf("chatting").contains("did not answer initialize within 0.5 s"));
    }

    @Test
    @Tag("D78")
    @DisplayName("a request with an id of 8 MB is not answered")
    void hugeId() throws Exception {
        try (var fake = FakeServer.started(workspace, "huge-id")) {
            assertEquals("one", fake.said("one"));
            assertEquals("[]", fake.call("answers").text());
        }
    }

    @Test
    @Tag("D78")
    @DisplayName("what waits for a server that does not read is bounded in bytes")
    void backlog() throws Exception {
        Backlog backlog = new Backlog();
        backlog.add(8 << 20);
        backlog.add(8 << 20);
        assertThrows(McpException.class, () -> backlog.add(1));
        backlog.remove(8 << 20);
        backlog.add(1);
    }

    @Test
    @DisplayName("nothing of a server is left when it is closed, though it ignores every hint")
    void noOrphans() throws Exception {
        ProcessHandle me = ProcessHandle.current();
        long before = me.descendants().filter(StdioServerTest::isFake).count();
        var fake = FakeServer.started(workspace, "stubborn");
        assertEquals(before + 1, me.descendants().filter(StdioServerTest::isFake).count());
        fake.close();
        assertEquals(before, me.descendants().filter(StdioServerTest::isFake).count());
    }

    private String failureOf(String fault) {
        ProcessRunner processes = new ProcessRunner(System.getenv(), List.of());
        var program = new ServerSpec.Program(FakeMcp.argv(fault), Map.of());
        var spec = new ServerSpec("fake", program, List.of(), Duration.ofSeconds(60));
        try (var server = FakeServer.server(spec, processes, workspace)) {
            return assertThrows(
                            McpException.class,
                            () -> server.start(Duration.ofMillis(500), new Cancellation()))
                    .problem();
        } finally {
            processes.killAll();
        }
    }

    private static boolean isFake(ProcessHandle process) {
        String line = process.info().commandLine().orElse("");
        return process.isAlive() && line.contains("server.py");
    }
}
