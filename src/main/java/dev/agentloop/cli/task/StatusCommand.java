package dev.agentloop.cli.task;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.durable.Tasks;
import dev.agentloop.durable.engine.DurableException;
import dev.agentloop.durable.engine.DurableObjects;
import dev.agentloop.json.Json;
import dev.agentloop.output.SafeText;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent status}: how far a submitted task, or the budget of a group, has come. */
public final class StatusCommand implements Command {
    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "status", "Say how far a submitted task has come, or a group's budget.");
        EngineOptions.addTo(spec);
        spec.addOption(Specs.value("NAME", "Show what this group has spent.", "--budget-group"));
        spec.addOption(Specs.flag("One JSON object instead of text.", "--json"));
        spec.addPositional(Specs.words("ID", "The task, as agent submit printed it."));
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        return TaskProblem.telling(arguments, invocation, this::work);
    }

    private int work(ParseResult arguments, Invocation invocation) throws Exception {
        String group = Specs.text(arguments, "--budget-group");
        List<String> words = Specs.positional(arguments);
        if (words.size() != (group.isEmpty() ? 1 : 0)) {
            throw new UsageException("write agent status ID, or agent status --budget-group NAME.");
        }
        boolean json = Specs.has(arguments, "--json");
        try (DurableObjects objects =
                EngineOptions.open(arguments, invocation, EngineOptions.CLIENT)) {
            Tasks tasks = new Tasks(objects);
            String text =
                    group.isEmpty()
                            ? task(words.getFirst(), tasks.view(words.getFirst()), json)
                            : group(group, tasks.groupStatus(group), json);
            invocation.streams().print(text + "\n");
            return ExitCode.SUCCESS.code();
        }
    }

    private static String group(String name, List<String> amounts, boolean json)
            throws DurableException {
        String total = amounts.getFirst();
        if (total.equals("0")) { // no group can be made with that
            throw new DurableException.Refused(
                    DurableException.UNKNOWN_GROUP,
                    name + ": there is no such group. agent submit --budget-group makes one.");
        }
        String held = amounts.getLast();
        return json
                ? "{\"group\":"
                        + Json.quote(name)
                        + ",\"budget_usd\":"
                        + total
                        + ",\"held_usd\":"
                        + held
                        + "}"
                : name + ": " + held + " of " + total + " USD spent or set aside";
    }

    private static String task(String id, Tasks.View view, boolean json) {
        return json ? json(id, view) : id + ": " + SafeText.line(text(view));
    }

    private static String text(Tasks.View view) {
        return switch (view.state()) {
            case "queued" -> "queued";
            case "running" ->
                    "running, %d %s of the model, on worker %s, attempt %d"
                            .formatted(
                                    view.step(),
                                    view.step() == 1 ? "reply" : "replies",
                                    view.worker(),
                                    view.attempt());
            case "waiting" -> waiting(view.waiting().orElseThrow());
            default ->
                    "%s, exit code %d, %.1f s, attempt %d"
                            .formatted(
                                    ended(view),
                                    view.outcome().orElseThrow().exitCode(),
                                    view.millis() / 1000.0,
                                    view.attempt());
        };
    }

    private static String ended(Tasks.View view) {
        String reason = view.outcome().orElseThrow().stopReason();
        boolean says = !reason.isEmpty() && !view.state().equals("done");
        return view.state() + (says ? " (" + reason + ")" : "");
    }

    private static String waiting(Tasks.Wait wait) {
        String what = wait.signal().isEmpty() ? "" : " for the signal " + wait.signal();
        return "waiting%s, %.0f s at most".formatted(what, wait.millis() / 1000.0);
    }

    private static String json(String id, Tasks.View view) {
        return Json.text(json -> {
            json.writeStartObject();
            json.writeStringField("id", id);
            json.writeStringField("state", view.state());
            json.writeNumberField("replies", view.step());
            json.writeStringField("worker", view.worker());
            json.writeNumberField("attempt", view.attempt());
            if (view.waiting().isPresent()) {
                json.writeStringField("waits_for", view.waiting().get().signal());
                json.writeNumberField("waits_millis", view.waiting().get().millis());
            }
            if (view.outcome().isPresent()) {
                json.writeNumberField("millis", view.millis());
                json.writeNumberField("exit_code", view.outcome().get().exitCode());
                json.writeStringField("stop_reason", view.outcome().get().stopReason());
            }
            json.writeEndObject();
        });
    }
}
