package dev.agentloop.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.message.Block;
import dev.agentloop.testing.ScriptedLlm;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs every example of the page and of the Javadoc, as it is printed there. */
@Timeout(60)
class LibraryExamplesTest {
    private static final Pattern FENCED = Pattern.compile("(?s)```java\n(.*?)```");
    private static final Pattern JAVADOC = Pattern.compile("(?s)<pre>\\{@code\n(.*?)\\}</pre>");

    private static final String FRAME =
            """
            import dev.agentloop.context.ContextManager;
            import dev.agentloop.control.Cancellation;
            import dev.agentloop.event.AgentEvent;
            import dev.agentloop.hook.*;
            import dev.agentloop.library.*;
            import dev.agentloop.llm.LlmAdapter;
            import dev.agentloop.message.Message;
            import dev.agentloop.tool.*;
            import java.math.BigDecimal;
            import java.nio.file.Path;
            import java.time.Duration;
            import java.util.*;

            public class Example%d {
                static LlmAdapter llm;
                static AgentLoop agent;
                static Path file;
                static ContextManager context = Contexts.compacting(100_000);
                static String country = "DE";
                enum Unit { CELSIUS }
                record Nothing() {}
                static Tool<?> weather =
                        TypedTool.of("get_weather", "Weather.", Nothing.class, (a, b) -> "21");
                static void show(Object what) {}
                static void log(Object... what) {}
                static String forecast(String city) { return "sunny"; }

                public static void run(LlmAdapter model, Path cassette) throws Exception {
                    llm = model;
                    file = cassette;
                    try (AgentLoop made = AgentLoop.builder(llm, context).build()) {
                        agent = made;
                        example();
                    }
                }

                static void example() throws Exception {
            %s
                }
            }
            """;

    /** Has the same to say to everybody. */
    private static final class Fine implements LlmAdapter {
        @Override
        public LlmResponse complete(
                LlmRequest request, LlmListener listener, Cancellation cancellation) {
            listener.text("Fine.");
            return ScriptedLlm.reply(FinishReason.END_TURN, new Block.Text("Fine."));
        }

        @Override
        public ModelInfo model() {
            return new ModelInfo("test", "fine", 100_000, 1_000);
        }
    }

    private static List<String> examples() throws IOException {
        List<String> found = new ArrayList<>();
        FENCED.matcher(Files.readString(Path.of("docs/library.md")))
                .results()
                .forEach(match -> found.add(match.group(1)));
        List<Path> sources = new ArrayList<>();
        sources.add(Path.of("src/main/java/dev/agentloop/tool/ModelRetry.java"));
        try (Stream<Path> files = Files.list(Path.of("src/main/java/dev/agentloop/library"))) {
            files.filter(Files::isRegularFile).sorted().forEach(sources::add);
        }
        for (Path source : sources) {
            JAVADOC.matcher(Files.readString(source))
                    .results()
                    .forEach(match -> found.add(match.group(1).replaceAll("(?m)^ *\\* ?", "")));
        }
        return found;
    }

    @Test
    @DisplayName("The page's example of a test is one of the testkit, which runs it")
    void theExampleOfATestIsOneOfTheTestkit() throws IOException {
        String page = Files.readString(Path.of("docs/library.md"));
        int from = page.indexOf("@AgentTest(cassette");
        String example = page.substring(from, page.indexOf("```", from));
        String test =
                Files.readString(
                        Path.of(
                                "src/testkit/src/test/java/dev/agentloop/testkit/PageExampleTest.java"));

        assertTrue(plain(test).contains(plain(example)), example);
    }

    private static String plain(String code) {
        return code.lines().map(String::strip).collect(Collectors.joining("\n"));
    }

    @Test
    @DisplayName("What the page and the Javadoc show compiles and runs")
    void whatThePageAndTheJavadocShowRuns(@TempDir Path folder) throws Exception {
        List<String> examples = examples();
        List<String> command = new ArrayList<>(List.of("-proc:none", "-d", folder.toString()));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        for (int i = 0; i < examples.size(); i++) {
            Path file = folder.resolve("Example" + i + ".java");
            command.add(Files.writeString(file, FRAME.formatted(i, examples.get(i))).toString());
        }

        int compiled =
                ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, command.toArray(String[]::new));
        assertEquals(0, compiled, "what is wrong stands above");
        assertTrue(examples.size() >= 12, () -> "only " + examples.size() + " examples");
        URL[] classes = {folder.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(classes, getClass().getClassLoader())) {
            for (int i = 0; i < examples.size(); i++) {
                loader.loadClass("Example" + i)
                        .getMethod("run", LlmAdapter.class, Path.class)
                        .invoke(null, new Fine(), folder.resolve(i + ".jsonl"));
            }
        }
    }
}
