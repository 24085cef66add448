package dev.agentloop.loop;

import dev.agentloop.loop.run.FinalChecks;
import dev.agentloop.loop.run.Run;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What was done in a run, for somebody who judges it. */
final class WorkReport {
    private static final int MAX_TEXT = 20_000; // characters of a task, an answer, all checks
    private static final int MAX_DIFF = 60_000; // about 15,000 tokens
    private static final int MAX_CALLS = 60; // the last of them
    private static final int MAX_ARGUMENTS = 400; // characters
    private static final int MAX_RESULT = 600; // characters; the end says how it went

    private WorkReport() {}

    static String of(String task, String answer, Run run, String diff) {
        StringBuilder report = new StringBuilder();
        part(report, "task", cut(task, MAX_TEXT));
        part(report, "answer", cut(answer, MAX_TEXT));
        part(report, "calls", calls(run.history()));
        part(report, "diff", diff.isEmpty() ? changed(run) : cut(diff, MAX_DIFF));
        part(report, "checks", cut(checks(run.checks()), MAX_TEXT));
        return report.toString();
    }

    private static void part(StringBuilder report, String name, String text) {
        report.append('<').append(name).append(">\n");
        report.append(text.isBlank() ? "(none)" : text.strip());
        report.append("\n</").append(name).append(">\n");
    }

    /** Without a session no contents are kept that could be compared. */
    private static String changed(Run run) {
        return run.changedFiles().isEmpty()
                ? ""
                : "(not kept; changed files: " + String.join(", ", run.changedFiles()) + ")";
    }

    private static String calls(List<Message> history) {
        Map<String, ToolResult> results = new HashMap<>();
        List<ToolCall> calls = new ArrayList<>();
        for (Message message : history) {
            if (message instanceof Message.Assistant assistant) {
                calls.addAll(assistant.toolCalls());
            } else if (message instanceof Message.Tool tool) {
                results.put(tool.callId(), tool.result());
            }
        }
        StringBuilder log = new StringBuilder();
        int skipped = Math.max(0, calls.size() - MAX_CALLS);
        if (skipped > 0) {
            log.append("[").append(skipped).append(" earlier calls are left out]\n");
        }
        for (ToolCall call : calls.subList(skipped, calls.size())) {
            log.append(call.name()).append(' ').append(cut(call.arguments(), MAX_ARGUMENTS));
            ToolResult result = results.get(call.id());
            if (result != null) {
                log.append("\n  ").append(result.kind()).append(": ");
                log.append(cut(result.text(), MAX_RESULT));
            }
            log.append('\n');
        }
        return log.toString();
    }

    private static String checks(List<FinalChecks.Check> checks) {
        StringBuilder text = new StringBuilder();
        for (FinalChecks.Check check : checks) {
            text.append(check.name()).append(check.passed() ? ": passed" : ": FAILED");
            text.append(check.required() ? "\n" : " (not required)\n");
            text.append(check.output().isBlank() ? "" : check.output().strip() + "\n");
        }
        return text.toString();
    }

    /** Beginning and end: the end says how it went. */
    private static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int half = most / 2;
        int from = Character.isHighSurrogate(text.charAt(half - 1)) ? half - 1 : half;
        int to = text.length() - half;
        to += Character.isLowSurrogate(text.charAt(to)) ? 1 : 0;
        return text.substring(0, from)
                + "\n[... "
                + (to - from)
                + " characters are left out ...]\n"
                + text.substring(to);
    }
}
