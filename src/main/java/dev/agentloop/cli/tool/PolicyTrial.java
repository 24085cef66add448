package dev.agentloop.cli.tool;

import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.json.Json;
import dev.agentloop.message.ToolCall;
import dev.agentloop.output.SafeText;
import dev.agentloop.permission.Decision;
import dev.agentloop.permission.PermissionPolicy;
import dev.agentloop.permission.Supervision;
import dev.agentloop.wiring.AgentWiring;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import picocli.CommandLine.ParseResult;

/** Asks the policy of a run about calls that nobody makes. */
final class PolicyTrial {
    /** The arguments of a call that is only about one thing; {@code %s} is that. */
    private static final Map<String, String> ARGUMENTS =
            Map.ofEntries(
                    Map.entry("read_file", "{\"file_path\":%s}"),
                    Map.entry("view_image", "{\"file_path\":%s}"),
                    Map.entry("list_files", "{\"path\":%s}"),
                    Map.entry("find_files", "{\"pattern\":\"*\",\"path\":%s}"),
                    Map.entry("grep", "{\"pattern\":\"x\",\"path\":%s}"),
                    Map.entry("search_code", "{\"query\":\"x\",\"path\":%s}"),
                    Map.entry("write_file", "{\"file_path\":%s,\"content\":\"\"}"),
                    Map.entry(
                            "edit_file",
                            "{\"file_path\":%s,\"old_string\":\"a\",\"new_string\":\"b\"}"),
                    Map.entry("delete_file", "{\"file_path\":%s}"),
                    Map.entry("remember", "{\"text\":%s}"),
                    Map.entry("skill", "{\"name\":%s}"),
                    Map.entry("ask_user", "{\"question\":%s}"),
                    Map.entry("command_output", "{\"id\":%s}"),
                    Map.entry("command_input", "{\"id\":\"b1\",\"text\":%s}"),
                    Map.entry("stop_command", "{\"id\":%s}"),
                    Map.entry("run_command", "{\"command\":%s}"),
                    Map.entry("network", "{\"command\":%s,\"network\":true}"),
                    Map.entry("web_fetch", "{\"url\":%s}"));

    private final ParseResult arguments;
    private final Invocation invocation;
    private final String as;
    private final PolicyReport report;

    PolicyTrial(ParseResult arguments, Invocation invocation, String as, PolicyReport report) {
        this.report = report;
        this.arguments = arguments;
        this.invocation = invocation;
        this.as = as;
    }

    /** Prints the decision and all that spoke about the call; exit code 0 whatever it is. */
    int explain(String text) throws Exception {
        return guarded(wiring -> {
            PermissionPolicy.Explanation why = explain(wiring, call(text));
            invocation.streams().print(report.explained(text, why, wiring.use()));
            return ExitCode.SUCCESS.code();
        });
    }

    /** Compares decisions with what is expected; exit code 0 if all are as expected, else 1. */
    int test(List<String> lines) throws Exception {
        return guarded(wiring -> { // the rules' own examples were checked by making it
            int cases = 0;
            List<PolicyReport.Miss> misses = new ArrayList<>();
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i).strip();
                if (line.isEmpty() || line.startsWith("#")) {
                    continue;
                }
                cases++;
                String[] parts = line.split("\\s+", 2);
                if (parts.length < 2 || !List.of("allow", "ask", "deny").contains(parts[0])) {
                    throw new UsageException(
                            "line %d: write allow, ask or deny, and a call: deny run_command(git push)"
                                    .formatted(i + 1));
                }
                Decision decision = explain(wiring, call(parts[1])).decision();
                if (!PolicyReport.word(decision).equals(parts[0])) {
                    misses.add(new PolicyReport.Miss(i + 1, parts[1], parts[0], decision));
                }
            }
            invocation.streams().print(report.tested(cases, misses, !lines.isEmpty()));
            return misses.isEmpty() ? ExitCode.SUCCESS.code() : ExitCode.FAILED.code();
        });
    }

    private interface Work {
        int with(AgentWiring wiring) throws Exception;
    }

    private int guarded(Work work) throws Exception {
        ToolTrial trial = new ToolTrial(arguments, invocation);
        try {
            return work.with(trial.wiring(use(as)));
        } finally {
            trial.close();
        }
    }

    /**
     * The use of that name.
     *
     * @param as empty for the one at hand
     */
    static Optional<Supervision> use(String as) throws UsageException {
        if (as.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                Arrays.stream(Supervision.values())
                        .filter(use -> use.wireName().equals(as))
                        .findFirst()
                        .orElseThrow(() ->
                                new UsageException(
                                        "--as "
                                                + SafeText.line(as)
                                                + ": write trusted-terminal, terminal, unattended or"
                                                + " trusted-unattended.")));
    }

    private static PermissionPolicy.Explanation explain(AgentWiring wiring, ToolCall call)
            throws UsageException {
        return wiring.explain(call)
                .orElseThrow(() ->
                        new UsageException(
                                "the call could not be made at all: "
                                        + SafeText.line(wiring.refusal(call))));
    }

    /** {@code TOOL(WHAT)}, or {@code TOOL {"key": …}}. */
    private static ToolCall call(String text) throws UsageException {
        int open = text.indexOf('(');
        int brace = text.indexOf('{');
        if (brace > 0 && (open < 0 || brace < open)) {
            return new ToolCall("trial", text.substring(0, brace).strip(), text.substring(brace));
        }
        String tool = open < 0 ? text : text.substring(0, open);
        String form = ARGUMENTS.get(tool);
        boolean complete = open > 0 && text.endsWith(")");
        if (complete && form == null) {
            throw new UsageException(
                    ("TOOL(WHAT) is for %s; for others write the keys that agent tools list --json"
                                    + " names: %s '{\"key\": …}'.")
                            .formatted(
                                    String.join(", ", new TreeSet<>(ARGUMENTS.keySet())),
                                    SafeText.line(tool)));
        }
        if (form == null || !complete) {
            throw new UsageException(
                    "write TOOL(WHAT), e.g. run_command(git push), or TOOL '{\"key\": …}'.");
        }
        String what = text.substring(open + 1, text.length() - 1);
        String name = tool.equals("network") ? "run_command" : tool;
        return new ToolCall("trial", name, form.formatted(Json.quote(what)));
    }
}
