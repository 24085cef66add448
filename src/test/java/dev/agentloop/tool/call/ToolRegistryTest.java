package dev.agentloop.tool.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.ToolFixture;
import dev.agentloop.tool.Doc;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.tool.Workspace;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolRegistryTest {
    @TempDir Path root;

    record Args(@Doc("Path") String filePath) {}

    /** Runs what a test wants to happen inside of a tool. */
    private interface Body {
        ToolResult run() throws IOException, ToolException;
    }

    private record Scripted(String name, Body body) implements Tool<Args> {
        @Override
        public ToolSpec spec() {
            return new ToolSpec(name, "", SchemaWriter.schemaOf(Args.class), Effect.PURE);
        }

        @Override
        public Class<Args> argumentType() {
            return Args.class;
        }

        @Override
        public ToolResult run(Args args, ToolContext context) throws IOException, ToolException {
            return body.run();
        }

        @Override
        public List<String> paths(Args args) {
            return List.of(args.filePath());
        }

        @Override
        public String subject(Args args) {
            return args.filePath();
        }
    }

    @Test
    @Tag("scenario-26")
    @DisplayName("an unknown tool is answered with the names there are")
    void anUnknownToolIsAnsweredWithTheNamesThereAre() {
        assertEquals(
                ToolResult.error("There is no tool named \"Read_File\". Available: one, two."),
                tools(() -> ToolResult.ok("")).callRaw("Read_File", "{}"));
    }

    @Test
    @Tag("scenario-27")
    @DisplayName("nothing runs when the arguments are broken")
    void nothingRunsWhenTheArgumentsAreBroken() {
        ToolFixture tools =
                tools(() -> {
                    throw new AssertionError("must not run");
                });
        assertTrue(tools.callRaw("one", "{\"file_path\":").isError());
    }

    @Test
    @Tag("scenario-28")
    @DisplayName("a retry hint reaches the model as an error")
    void aRetryHintReachesTheModel() {
        ToolFixture tools =
                tools(() -> {
                    throw ToolException.retry("use the ISO code");
                });
        assertEquals(
                ToolResult.of(ToolResult.Kind.RETRY_HINT, "use the ISO code"),
                tools.call("one", "file_path", "a"));
    }

    @Test
    void cutArgumentsAreNeverRunEvenIfTheyParse() {
        ToolFixture tools = tools(() -> ToolResult.ok("ran"));
        ToolCall call = new ToolCall("c", "one", "{\"file_path\":\"a\"}");
        var refused =
                assertInstanceOf(PreparedCall.Refused.class, tools.registry.prepare(call, true));
        assertEquals(ToolResult.Kind.ERROR, refused.result().kind());
        assertTrue(refused.result().text().contains("after 17 bytes"), refused.result().text());
        assertTrue(refused.result().text().contains("smaller pieces"), refused.result().text());
    }

    @Test
    @Tag("D02")
    @DisplayName("paths and the subject are judged by where they lead")
    void pathsAndTheSubjectAreReal() throws IOException {
        ToolFixture tools = tools(() -> ToolResult.ok(""));
        tools.write("src/real.txt", "x");
        Files.createSymbolicLink(tools.path("link"), Path.of("src"));
        var ready =
                assertInstanceOf(
                        PreparedCall.Ready.class,
                        tools.registry.prepare(
                                new ToolCall(
                                        "c", "one", "{\"file_path\":\"./link/../link//real.txt\"}"),
                                false));
        assertEquals("src/real.txt", ready.subject());
        assertEquals(List.of(tools.path("src/real.txt").toString()), ready.paths());
        var outside = // for the policy to judge; the tools themselves stay inside
                assertInstanceOf(
                        PreparedCall.Ready.class,
                        tools.registry.prepare(
                                new ToolCall("c", "one", "{\"file_path\":\"../x\"}"), false));
        assertEquals(
                List.of(tools.workspace.root().resolveSibling("x").toString()), outside.paths());
    }

    @Test
    void whateverAToolThrowsBecomesAResult() {
        assertEquals(
                "Internal error in one: java.lang.IllegalStateException: bug",
                thrown(() -> {
                    throw new IllegalStateException("bug");
                }));
        assertTrue(thrown(() -> recurse(0)).contains("nested too deeply"));
        assertTrue(
                thrown(
                                () -> {
                                    throw new OutOfMemoryError();
                                })
                        .contains("out of memory"));
        assertEquals(
                "a.txt: no space left on device. Free some space first.",
                thrown(() -> {
                    throw new FileSystemException(
                            root.toRealPath().resolve("a.txt").toString(),
                            null,
                            "No space left on device");
                }));
    }

    @Test
    @Tag("B03")
    @DisplayName("a denied file is told with its mode and owner")
    void aDeniedFileIsToldWithItsModeAndOwner() throws IOException {
        Path file = Files.writeString(root.toRealPath().resolve("secret"), "x");
        Files.setPosixFilePermissions(file, java.util.Set.of());
        String text =
                thrown(() -> {
                    throw new AccessDeniedException(file.toString());
                });
        assertTrue(text.startsWith("Permission denied: secret (mode ---------, owner "), text);
    }

    @Test
    void aNarrowedRegistryKeepsTheOrderAndHidesTheRest() {
        ToolRegistry all = tools(() -> ToolResult.ok("")).registry;
        assertEquals(List.of("one", "two"), names(all));
        assertEquals(List.of("two"), names(all.only(List.of("two", "unheard_of"))));
        assertEquals(List.of("one", "two"), names(all.only(List.of())));
        assertInstanceOf(
                PreparedCall.Refused.class,
                all.only(List.of("two"))
                        .prepare(new ToolCall("c", "one", "{\"file_path\":\"a\"}"), false));
    }

    @Test
    void twoToolsOfOneNameAreABrokenSetUp() {
        Tool<?> tool = new Scripted("one", () -> ToolResult.ok(""));
        assertThrows(
                IllegalArgumentException.class,
                () -> new ToolRegistry(List.of(tool, tool), new Workspace(root)));
    }

    private static ToolResult recurse(int depth) {
        return depth < 0 ? ToolResult.ok("") : recurse(depth + 1 & Integer.MAX_VALUE);
    }

    private String thrown(Body body) {
        ToolResult result = tools(body).call("one", "file_path", "a");
        assertEquals(ToolResult.Kind.ERROR, result.kind());
        return result.text();
    }

    private ToolFixture tools(Body body) {
        return ToolFixture.with(
                root, List.of(new Scripted("one", body), new Scripted("two", body)));
    }

    private static List<String> names(ToolRegistry registry) {
        return registry.specs().stream().map(ToolSpec::name).toList();
    }
}
