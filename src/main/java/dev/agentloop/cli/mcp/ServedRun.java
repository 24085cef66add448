package dev.agentloop.cli.mcp;

import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.setup.ClientPermissions;
import dev.agentloop.control.Cancellation;
import dev.agentloop.json.JsonValue;
import dev.agentloop.mcp.serve.ServedTool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The tool {@code run}: a whole run of the agent in the workspace. */
final class ServedRun implements ServedTool {
    private static final int MOST_RUNS = 4; // at a time; each is a process of about 150 MB

    /** Fields of the result that a client gets as they are. */
    private static final List<String> FACTS =
            List.of(
                    "status",
                    "stop_reason",
                    "exit_code",
                    "session_id",
                    "model",
                    "steps",
                    "cost",
                    "files_changed");

    private final ClientPermissions terms;
    private final RunChild child;
    private final Semaphore free = new Semaphore(MOST_RUNS);

    ServedRun(ClientPermissions terms, RunChild child) {
        this.terms = terms;
        this.child = child;
    }

    @Override
    public String name() {
        return "run";
    }

    @Override
    public Map<String, @Nullable Object> declaration() {
        Map<String, @Nullable Object> declaration = new LinkedHashMap<>();
        declaration.put("name", name());
        declaration.put(
                "description",
                "Hand a whole task to the coding agent: it reads, changes and tests the workspace"
                        + " until it is done, and answers in words. Takes minutes and costs money.");
        declaration.put("inputSchema", input());
        declaration.put("outputSchema", output());
        declaration.put(
                "annotations",
                Map.of(
                        "readOnlyHint", false,
                        "destructiveHint", true,
                        "idempotentHint", false,
                        "openWorldHint", true));
        return declaration;
    }

    private static Map<String, @Nullable Object> input() {
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        properties.put("task", property("string", "What is to be done, and how it can be checked"));
        properties.put("agent", property("string", "Agent, e.g. plan or review; both only read"));
        properties.put("model", property("string", "PROVIDER/MODEL; the server's own if left out"));
        properties.put("max_steps", property("integer", "Most model calls with tools"));
        properties.put("budget", property("number", "Most US dollars that it may cost"));
        properties.put("timeout", property("integer", "Most seconds that it may take"));
        return object(properties, List.of("task"));
    }

    private static Map<String, @Nullable Object> output() {
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        properties.put(
                "status",
                property("string", "success, partial, failed and so on, as of agent run"));
        properties.put("stop_reason", property("string", "Why it ended"));
        properties.put("exit_code", property("integer", "Exit code of agent run"));
        properties.put("session_id", property("string", "For agent resume; empty without one"));
        properties.put("cost", property("object", "usd: US dollars, and how they are made up"));
        return object(properties, List.of("status", "stop_reason", "exit_code"));
    }

    private static Map<String, @Nullable Object> property(String type, String description) {
        return Map.of("type", type, "description", description);
    }

    private static Map<String, @Nullable Object> object(
            Map<String, @Nullable Object> properties, List<String> required) {
        Map<String, @Nullable Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", required);
        return schema;
    }

    @Override
    public Map<String, @Nullable Object> call(
            JsonValue arguments, Cancellation cancellation, Consumer<String> progress) {
        if (!free.tryAcquire()) {
            return refused(MOST_RUNS + " runs are under way. Wait for one of them to end.");
        }
        try {
            RunChild.Outcome outcome =
                    child.run(
                            terms.words(arguments),
                            arguments.at("task").text(),
                            cancellation,
                            line -> step(line, progress));
            return answer(outcome);
        } catch (UsageException e) {
            return refused(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return refused("The run could not be started: " + e.getMessage());
        } finally {
            free.release();
        }
    }

    private static void step(JsonValue event, Consumer<String> progress) {
        switch (event.at("type").text()) {
            case "step.started" -> progress.accept("step " + event.at("step").asLong());
            case "tool.started" -> progress.accept(event.at("tool").text());
            default -> {} // of the other kinds nobody needs to hear
        }
    }

    private static Map<String, @Nullable Object> answer(RunChild.Outcome outcome) {
        JsonValue result = outcome.result();
        if (!result.isObject()) {
            return refused(
                    "The run ended with exit code %d and without a result. %s"
                            .formatted(outcome.exitCode(), outcome.lastWords())
                            .strip());
        }
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        for (String fact : FACTS) {
            if (result.has(fact)) {
                facts.put(fact, result.at(fact).raw());
            }
        }
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("content", List.of(ServedCall.text(words(result))));
        answer.put("structuredContent", facts);
        answer.put("isError", result.at("is_error").isTrue());
        return answer;
    }

    /** The answer; of a run that was not a success also why. */
    private static String words(JsonValue result) {
        List<String> words = new ArrayList<>();
        if (!result.at("result").text().isBlank()) {
            words.add(result.at("result").text());
        }
        for (JsonValue error : result.at("errors").items()) {
            words.add(error.at("message").text());
        }
        if (result.at("is_error").isTrue()) {
            words.add(
                    "[status %s, stop reason %s, exit code %d]"
                            .formatted(
                                    result.at("status").text(),
                                    result.at("stop_reason").text(),
                                    result.at("exit_code").asLong()));
        }
        return String.join("\n\n", words);
    }

    private static Map<String, @Nullable Object> refused(String why) {
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("content", List.of(ServedCall.text(why)));
        answer.put("isError", true);
        return answer;
    }
}
