package dev.agentloop.cli;

import dev.agentloop.json.Json;
import dev.agentloop.message.ToolCall;
import dev.agentloop.output.SafeText;
import dev.agentloop.permission.Decision;
import dev.agentloop.permission.PermissionPolicy;
import dev.agentloop.permission.Use;
import dev.agentloop.permission.Verdict;
import dev.agentloop.wiring.AgentWiring;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
                    Map.entry("run_command", "{\"command\":%s}"),
                    Map.entry("network", "{\"command\":%s,\"network\":true}"),
                    Map.entry("web_fetch", "{\"url\":%s}"));

    private final ParseResult arguments;
    private final Invocation invocation;
    private final String as;

    PolicyTrial(ParseResult arguments, Invocation invocation, String as) {
        this.arguments = arguments;
        this.invocation = invocation;
        this.as = as;
    }

    /** Prints the decision and all that spoke about the call; exit code 0 whatever it is. */
    int explain(String text) throws Exception {
        return guarded(wiring -> {
            ToolCall call = call(text);
            PermissionPolicy.Explanation why = explain(wiring, call);
            Decision decision = why.decision();
            StringBuilder out = new StringBuilder();
            out.append(word(decision)).append("  ").append(SafeText.line(text)).append('\n');
            out.append("  by ").append(SafeText.line(decision.rule()));
            out.append(decision.reason().isEmpty() ? "" : ": " + SafeText.line(decision.reason()));
            out.append("\n  as ").append(wiring.use().wireName()).append('\n');
            if (decision.verdict() == Verdict.ASK && !wiring.use().isAttended()) {
                out.append("  without a terminal that is a denial\n");
            }
            for (String line : why.considered()) {
                out.append("  considered ").append(SafeText.line(line)).append('\n');
            }
            invocation.streams().print(out.toString());
            return ExitCode.SUCCESS.code();
        });
    }

    /** Compares decisions with what is expected; exit code 0 if all are as expected, else 1. */
    int test(List<String> lines) throws Exception {
        return guarded(wiring -> { // the rules' own examples were checked by making it
            int tests = 0;
            int failed = 0;
            StringBuilder out = new StringBuilder();
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i).strip();
                if (line.isEmpty() || line.startsWith("#")) {
                    continue;
                }
                tests++;
                String[] parts = line.split("\\s+", 2);
                if (parts.length < 2 || !List.of("allow", "ask", "deny").contains(parts[0])) {
                    throw new UsageException(
                            "line %d: write allow, ask or deny, and a call: deny run_command(git push)"
                                    .formatted(i + 1));
                }
                Decision decision = explain(wiring, call(parts[1])).decision();
                if (!word(decision).equals(parts[0])) {
                    failed++;
                    out.append(
                            "line %d: %s is %s by %s, not %s%n"
                                    .formatted(
                                            i + 1,
                                            SafeText.line(parts[1]),
                                            word(decision),
                                            SafeText.line(decision.rule()),
                                            parts[0]));
                }
            }
            out.append(
                    lines.isEmpty()
                            ? "The rules and their examples are valid; no FILE with cases was given.\n"
                            : "%d of %d as expected%n".formatted(tests - failed, tests));
            invocation.streams().print(out.toString());
            return failed == 0 ? ExitCode.SUCCESS.code() : ExitCode.FAILED.code();
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
    static Optional<Use> use(String as) throws UsageException {
        if (as.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                Arrays.stream(Use.values())
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
        if (form == null || open < 0 || !text.endsWith(")")) {
            throw new UsageException(
                    "write TOOL(WHAT), e.g. run_command(git push), or TOOL '{\"key\": …}'.");
        }
        String what = text.substring(open + 1, text.length() - 1);
        String name = tool.equals("network") ? "run_command" : tool;
        return new ToolCall("trial", name, form.formatted(Json.quote(what)));
    }

    private static String word(Decision decision) {
        return decision.verdict().name().toLowerCase(Locale.ROOT);
    }
}
