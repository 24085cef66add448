package dev.agentloop.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.agentloop.hook.HookEvent;
import dev.agentloop.hook.HookPoint;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.library.AgentLoop;
import dev.agentloop.library.AgentLoopBuilder;
import dev.agentloop.library.AgentStats;
import dev.agentloop.library.Cassettes;
import dev.agentloop.library.Contexts;
import dev.agentloop.library.Models;
import dev.agentloop.library.Recording;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What an {@link AgentTest} works with: an empty folder, a model, and assertions about what the
 * agent did. Every assertion returns the kit, for the next one.
 */
public final class AgentKit implements AutoCloseable {
    private static final long CONTEXT = 100_000; // tokens

    private final Path workspace;
    private final Path cassette;
    private final String recordedWith;
    private final boolean records;
    private final List<Message> messages = new ArrayList<>();
    private final List<ToolCall> ran = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private LlmAdapter model;
    private AgentLoop agent;

    AgentKit() throws IOException {
        this(null, "", false);
    }

    AgentKit(Path cassette, String recordedWith, boolean records) throws IOException {
        this.workspace = Files.createTempDirectory("agent-test-").toRealPath();
        this.cassette = cassette;
        this.recordedWith = recordedWith;
        this.records = records;
    }

    /** The folder that the agent's tools work in; gone when the test is over. */
    public Path workspace() {
        return workspace;
    }

    /** Puts a file into the workspace. */
    public AgentKit file(String name, String text) {
        try {
            Path file = workspace.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The model of a test without a cassette. */
    public AgentKit model(LlmAdapter scripted) {
        model = scripted;
        return this;
    }

    /** The agent of this test, with whatever {@code more} adds; closed when the test is over. */
    public AgentLoop build(UnaryOperator<AgentLoopBuilder> more) {
        if (agent != null) {
            throw new IllegalStateException("a test has one agent; this one has been built");
        }
        AgentLoopBuilder builder = cassette == null ? scripted() : taped();
        builder.workspace(workspace)
                .messageObserver(messages::add)
                .observer("testkit", Set.of(HookPoint.POST_TOOL), this::hear);
        agent = more.apply(builder).build();
        open.addFirst(agent);
        return agent;
    }

    private void hear(HookEvent event) {
        if (event instanceof HookEvent.ToolEnded(ToolCall call, _)) {
            ran.add(call);
        }
    }

    private AgentLoopBuilder scripted() {
        if (model == null) {
            throw new IllegalStateException(
                    "no model: name a cassette in @AgentTest, or give the kit a model");
        }
        return AgentLoop.builder(model, Contexts.compacting(CONTEXT));
    }

    private AgentLoopBuilder taped() {
        if (records) {
            return recorded();
        }
        if (Files.notExists(cassette)) {
            throw new IllegalStateException(
                    "there is no "
                            + cassette
                            + ": record it with -Dagent.record=true and the key of "
                            + (recordedWith.isEmpty() ? "a model" : recordedWith));
        }
        return AgentLoop.builder(Cassettes.replay(cassette, workspace), Contexts.compacting(CONTEXT));
    }

    private AgentLoopBuilder recorded() {
        if (model == null && recordedWith.isEmpty()) {
            throw new IllegalStateException("@AgentTest does not say which model to record with");
        }
        LlmAdapter asked = model == null ? Models.open(recordedWith) : model;
        try {
            Files.createDirectories(cassette.toAbsolutePath().getParent());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Recording recording = Cassettes.record(cassette, asked, workspace);
        open.addFirst(recording);
        open.addLast(asked);
        return AgentLoop.builder(asked, Contexts.compacting(CONTEXT)).tape(recording::tape);
    }

    /** All calls that the model has asked for, in its order. */
    public List<ToolCall> calls() {
        return messages.stream()
                .filter(Message.Assistant.class::isInstance)
                .flatMap(said -> ((Message.Assistant) said).toolCalls().stream())
                .toList();
    }

    /**
     * The calls that ran, in the order in which they ended. One that was denied, whose arguments do
     * not fit, or that names no tool, did not.
     */
    public List<ToolCall> ranCalls() {
        return List.copyOf(ran);
    }

    private List<String> callsOf(String tool) {
        return ran.stream()
                .filter(call -> call.name().equals(tool))
                .map(ToolCall::arguments)
                .toList();
    }

    private List<String> called() {
        return ran.stream().map(ToolCall::name).toList();
    }

    /** The tool was called, and ran. */
    public AgentKit assertCalled(String tool) {
        assertTrue(called().contains(tool), () -> notCalled(tool));
        return this;
    }

    private String notCalled(String tool) {
        List<String> refused = new ArrayList<>();
        for (ToolCall call : calls()) {
            if (call.name().equals(tool)) {
                refused.add(answerTo(call));
            }
        }
        String asked = refused.isEmpty() ? "" : "; it was asked for and did not run: " + refused;
        return tool + " was not called, but " + called() + asked;
    }

    private String answerTo(ToolCall call) {
        return messages.stream()
                .filter(it -> it instanceof Message.Tool(var id, _) && id.equals(call.id()))
                .map(it -> ((Message.Tool) it).result().text())
                .findFirst()
                .orElse("no answer");
    }

    /** The tool was called, and ran, so often. */
    public AgentKit assertCalled(String tool, int times) {
        assertEquals(times, callsOf(tool).size(), () -> "calls of " + tool + " in " + called());
        return this;
    }

    /** One call that ran had these arguments, as JSON; blanks and order do not matter. */
    public AgentKit assertCalledWith(String tool, String arguments) {
        assertTrue(
                callsOf(tool).stream().anyMatch(given -> sameJson(given, arguments)),
                () ->
                        callsOf(tool).isEmpty()
                                ? notCalled(tool)
                                : tool + " was not called with " + arguments + ", but "
                                        + callsOf(tool));
        return this;
    }

    private static boolean sameJson(String given, String wanted) {
        try {
            return Json.parse(given).equals(Json.parse(wanted));
        } catch (JsonException e) {
            return given.equals(wanted); // a model may write what is no JSON
        }
    }

    /** No call of the tool ran; the model may have asked for one that was refused. */
    public AgentKit assertNotCalled(String tool) {
        assertFalse(called().contains(tool), () -> tool + " was called with " + callsOf(tool));
        return this;
    }

    /** Calls of these tools ran, in this order, and no others. */
    public AgentKit assertCalls(String... tools) {
        assertEquals(List.of(tools), called());
        return this;
    }

    /** The file of the workspace holds exactly this. */
    public AgentKit assertFile(String name, String text) {
        assertEquals(text, read(name), name);
        return this;
    }

    /** The file of the workspace holds this somewhere. */
    public AgentKit assertFileContains(String name, String part) {
        String text = read(name);
        assertTrue(text.contains(part), () -> name + " does not hold \"" + part + "\":\n" + text);
        return this;
    }

    /** There is no such file in the workspace. */
    public AgentKit assertNoFile(String name) {
        assertTrue(Files.notExists(workspace.resolve(name)), () -> "there is a file " + name);
        return this;
    }

    private String read(String name) {
        try {
            return Files.readString(workspace.resolve(name));
        } catch (IOException e) {
            return fail("the file " + name + " cannot be read", e);
        }
    }

    /** All calls of the model cost no more than that, in US dollars. */
    public AgentKit assertCostsAtMost(String usd) {
        BigDecimal cost = stats().sessionCost();
        if (cost == null) {
            return fail("the price of the model is unknown; give the builder its price");
        }
        assertTrue(
                cost.compareTo(new BigDecimal(usd)) <= 0,
                () -> "it cost $" + cost.toPlainString() + ", more than $" + usd);
        return this;
    }

    /** All calls of the model read and wrote no more tokens than that. */
    public AgentKit assertTokensAtMost(long tokens) {
        long used = stats().sessionPromptTokens() + stats().sessionCompletionTokens();
        assertTrue(used <= tokens, () -> "it used " + used + " tokens, more than " + tokens);
        return this;
    }

    /** The model was asked for no more turns than that. */
    public AgentKit assertTurnsAtMost(int turns) {
        assertTrue(
                stats().steps() <= turns,
                () -> "it took " + stats().steps() + " turns, more than " + turns);
        return this;
    }

    private AgentStats stats() {
        if (agent == null) {
            throw new IllegalStateException("no agent was built yet");
        }
        return agent.stats();
    }

    /** The model has said all that its script holds; asked at the end of each {@link AgentTest}. */
    public AgentKit assertScriptIsOver() {
        if (model instanceof ScriptedModel script && !script.left().isEmpty()) {
            fail("the script was not used up; the model was never asked for " + script.left());
        }
        return this;
    }

    /** Closes the agent, makes a recording whole, and deletes the workspace. */
    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(workspace)) {
            for (AutoCloseable each : open) {
                each.close();
            }
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
