package dev.agentloop.cli.batch;

import dev.agentloop.cli.command.RunsCommand;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.config.source.OrderFile;
import dev.agentloop.json.JsonValue;
import dev.agentloop.orchestration.Suite;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads a suite; tells all that is wrong with it at once. */
final class SuiteFile {
    private static final int MOST_RUNS = 1_000;
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,40}";

    /** Keys of a variant, each an option of a run. */
    private static final List<String> SETTINGS =
            List.of("model", "agent", "effort", "temperature", "max_steps");

    private final List<String> problems = new ArrayList<>();

    private SuiteFile() {}

    /**
     * @param runs instead of what the file says; 0 for that
     */
    static Suite read(Path file, String shown, int runs) throws UsageException {
        SuiteFile reader = new SuiteFile();
        Suite suite = reader.suite(OrderFile.read(file, shown), runs);
        if (!reader.problems.isEmpty()) {
            throw new UsageException(
                    shown + " is no suite:\n  " + String.join("\n  ", reader.problems));
        }
        return suite;
    }

    private Suite suite(JsonValue root, int wished) throws UsageException {
        problems.addAll(
                OrderFile.unknownKeys(
                        root, "the suite", Set.of("name", "runs", "tasks", "variants")));
        String text = root.at("runs").textOr("1");
        int runs = wished > 0 ? wished : RunsCommand.number("runs", text, MOST_RUNS);
        List<Suite.Task> tasks = new ArrayList<>();
        List<JsonValue> items = root.at("tasks").items();
        for (int i = 0; i < items.size(); i++) {
            tasks.add(task(items.get(i), "tasks[" + i + "]"));
        }
        List<Suite.Variant> variants = new ArrayList<>();
        List<JsonValue> others = root.at("variants").items();
        for (int i = 0; i < others.size(); i++) {
            variants.add(variant(others.get(i), "variants[" + i + "]"));
        }
        if (tasks.isEmpty()) {
            problems.add("tasks: there is none; each has a name, a prompt and checks");
        }
        if (variants.isEmpty()) {
            variants.add(new Suite.Variant("default", List.of()));
        }
        unique("tasks", tasks.stream().map(Suite.Task::name).toList());
        unique("variants", variants.stream().map(Suite.Variant::name).toList());
        return new Suite(root.at("name").textOr("suite"), tasks, variants, runs);
    }

    private Suite.Task task(JsonValue task, String at) {
        problems.addAll(OrderFile.unknownKeys(task, at, Set.of("name", "prompt", "checks")));
        List<String> checks = OrderFile.texts(task.at("checks"));
        if (task.at("prompt").text().isBlank()) {
            problems.add(at + ".prompt: there is none");
        }
        if (checks.isEmpty() || checks.stream().anyMatch(String::isBlank)) {
            problems.add(at + ".checks: a command is needed that decides, e.g. [\"mvn -q test\"]");
        }
        return new Suite.Task(name(task, at), task.at("prompt").text(), checks);
    }

    private Suite.Variant variant(JsonValue variant, String at) {
        Set<String> known = new HashSet<>(SETTINGS);
        known.add("name");
        problems.addAll(OrderFile.unknownKeys(variant, at, known));
        List<String> options = new ArrayList<>();
        for (String setting : SETTINGS) {
            String value = variant.at(setting).text();
            if (!value.isEmpty()) {
                options.add("--" + setting.replace('_', '-') + "=" + value);
            }
        }
        return new Suite.Variant(name(variant, at), options);
    }

    private String name(JsonValue item, String at) {
        String name = item.at("name").text();
        if (!name.matches(NAME)) {
            problems.add(at + ".name: letters, digits, '.', '_' and '-', at most 41");
        }
        return name;
    }

    private void unique(String what, List<String> names) {
        if (new HashSet<>(names).size() < names.size()) {
            problems.add(what + ": two have the same name");
        }
    }
}
