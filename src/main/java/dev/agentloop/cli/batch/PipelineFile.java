package dev.agentloop.cli.batch;

import dev.agentloop.cli.command.RunsCommand;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.config.source.OrderFile;
import dev.agentloop.json.JsonValue;
import dev.agentloop.orchestration.Pipeline;
import dev.agentloop.orchestration.PipelineRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** Reads a pipeline; tells all that is wrong with it at once. */
final class PipelineFile {
    private static final String NAME = "[A-Za-z0-9_][A-Za-z0-9_-]{0,40}";

    /** Keys of a step, each an option of its run. */
    private static final List<String> SETTINGS =
            List.of("agent", "model", "effort", "temperature", "max_steps");

    private static final Set<String> KEYS =
            Set.of(
                    "name",
                    "prompt",
                    "agent",
                    "model",
                    "effort",
                    "temperature",
                    "max_steps",
                    "needs",
                    "when",
                    "checks",
                    "timeout",
                    "continue_on_error");

    private final List<String> problems = new ArrayList<>();
    private final Map<String, String> variables = new LinkedHashMap<>();
    private final Set<String> known = new TreeSet<>(); // variables that are declared or asked for
    private final Set<String> before = new HashSet<>(); // steps above the one that is read

    private PipelineFile() {}

    /**
     * @param given variables of the command line, which win
     */
    static Pipeline read(Path file, String shown, Map<String, String> given) throws UsageException {
        PipelineFile reader = new PipelineFile();
        Pipeline pipeline = reader.pipeline(OrderFile.read(file, shown), given);
        reader.checkGiven(given.keySet());
        if (!reader.problems.isEmpty()) {
            throw new UsageException(
                    shown + " is no pipeline:\n  " + String.join("\n  ", reader.problems));
        }
        return pipeline;
    }

    /** A variable that nothing asks for was misspelt. */
    private void checkGiven(Set<String> given) throws UsageException {
        for (String name : given) {
            if (!known.contains(name)) {
                throw new UsageException(
                        "--var "
                                + name
                                + ": the pipeline has no such variable. "
                                + (known.isEmpty()
                                        ? "It has none."
                                        : "Known: " + String.join(", ", known) + "."));
            }
        }
    }

    private Pipeline pipeline(JsonValue root, Map<String, String> given) {
        problems.addAll(
                OrderFile.unknownKeys(root, "the pipeline", Set.of("name", "variables", "steps")));
        JsonValue own = root.at("variables");
        for (String name : own.keys()) {
            variables.put(name, own.at(name).text());
            known.add(name);
        }
        variables.putAll(given);
        List<Pipeline.Step> steps = new ArrayList<>();
        List<JsonValue> items = root.at("steps").items();
        for (int i = 0; i < items.size(); i++) {
            steps.add(step(items.get(i), "steps[" + i + "]"));
        }
        if (steps.isEmpty()) {
            problems.add("steps: there is none; each has a name and a prompt");
        }
        return new Pipeline(root.at("name").textOr("pipeline"), variables, steps);
    }

    private Pipeline.Step step(JsonValue step, String at) {
        problems.addAll(OrderFile.unknownKeys(step, at, KEYS));
        String name = step.at("name").text();
        if (!name.matches(NAME)) {
            problems.add(at + ".name: letters, digits, '_' and '-', at most 41");
        } else if (before.contains(name)) {
            problems.add(at + ".name: another step is named " + name);
        }
        String prompt = step.at("prompt").text();
        if (prompt.isBlank()) {
            boolean meant = step.has("task");
            problems.add(at + ".prompt: there is none" + (meant ? " (it is not task)" : ""));
        }
        List<String> needs = OrderFile.texts(step.at("needs"));
        List<String> checks = OrderFile.texts(step.at("checks"));
        String when = step.at("when").text();
        needs.stream()
                .filter(other -> !before.contains(other))
                .forEach(other ->
                        problems.add(at + ".needs: no step above is named \"" + other + "\""));
        references(prompt, at + ".prompt", true);
        references(when, at + ".when", false);
        checks.forEach(check -> references(check, at + ".checks", false));
        before.add(name);
        return new Pipeline.Step(
                name, prompt, options(step), needs, when, checks, time(step, at), goesOn(step, at));
    }

    /** What a model said would be run as it stands in a command, so it may not stand there. */
    private void references(String text, String at, boolean prompt) {
        Matcher reference = PipelineRun.REFERENCE.matcher(text);
        while (reference.find()) {
            String name = reference.group(1);
            Optional<String> step = PipelineRun.stepOf(name);
            if (step.isEmpty()) {
                known.add(name);
            }
            if (step.isPresent() && !prompt) {
                problems.add(at + ": what a step has said cannot be part of a command");
            } else if (step.isPresent() && !before.contains(step.get())) {
                problems.add(at + ": no step above is named \"" + step.get() + "\"");
            } else if (step.isEmpty() && !variables.containsKey(name)) {
                problems.add(at + ": there is no variable \"" + name + "\" (--var NAME=VALUE)");
            }
        }
    }

    private static List<String> options(JsonValue step) {
        List<String> options = new ArrayList<>();
        for (String setting : SETTINGS) {
            String value = step.at(setting).text();
            if (!value.isEmpty()) {
                options.add("--" + setting.replace('_', '-') + "=" + value);
            }
        }
        return options;
    }

    private @Nullable Duration time(JsonValue step, String at) {
        String text = step.at("timeout").text();
        if (text.isEmpty()) {
            return null;
        }
        try {
            return RunsCommand.time(at + ".timeout", text);
        } catch (UsageException e) {
            problems.add(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private boolean goesOn(JsonValue step, String at) {
        String text = step.at("continue_on_error").textOr("false");
        if (!text.equals("true") && !text.equals("false")) {
            problems.add(at + ".continue_on_error: true or false");
        }
        return text.equals("true");
    }
}
