package dev.agentloop.permission;

import dev.agentloop.shell.ShellReading;
import dev.agentloop.tool.HostPattern;
import dev.agentloop.tool.SubjectKind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What the person who started the run can do about a denial of the default policy. */
final class DenialAdvice {
    private static final String AT_A_TERMINAL = "an answer at a terminal";

    private DenialAdvice() {}

    /** The denial's reason, with the remedy if there is one that lifts all grounds. */
    static String with(JudgedCall call, List<PolicyReason> grounds, Supervision use) {
        Set<String> reasons = new LinkedHashSet<>();
        Set<String> remedies = new LinkedHashSet<>();
        for (PolicyReason ground : grounds) {
            reasons.add(ground.reason() + " (" + ground.row().id() + ")");
            remedies.add(of(call, ground));
        }
        String reason = String.join("; ", reasons);
        if (remedies.contains("")) {
            return reason + ". Go on without it.";
        }
        String remedy = String.join(", and with ", remedies);
        return reason
                + (use.isAttended()
                        ? ", and this workspace is not trusted"
                        : ", and there is no terminal to ask at")
                + ". The person who started the run can allow it with "
                + remedy
                + ". Go on without it.";
    }

    private static String of(JudgedCall call, PolicyReason ground) {
        return switch (ground.row()) {
            case WRITE_OWN, WRITE_OUTSIDE, TOO_COMPLEX -> "";
            case DESTRUCTIVE -> "--trust --allow-destructive, or with " + AT_A_TERMINAL;
            case COMMAND_UNCONFINED_BY_WORD ->
                    "the sandbox (without --sandbox off), with --trust beside it, with --yolo"
                            + " beside it, or with "
                            + rules(call, ground, call.tool());
            case READ_SECRET ->
                    call.facts().isEmpty()
                            ? rules(call, ground, call.tool())
                            : "--allow 'read_file(" + ground.what() + ")', for that tool only";
            case PUBLISH -> rules(call, ground, call.tool()) + " and --allow-net";
            case COMMAND_UNCONFINED ->
                    "a sandbox (install the package bubblewrap), with --trust --sandbox off, with"
                            + " --yolo --sandbox off, or with "
                            + rules(call, ground, call.tool());
            case COMMAND_WITH_NETWORK ->
                    "--allow-net, or with " + rules(call, ground, PermissionPolicy.NETWORK);
            case SERVER_TOOL, REMEMBER -> "--allow " + call.tool();
            case FETCH -> "--allow-net, or with " + rules(call, ground, call.tool());
            case READ,
                    READ_OUTSIDE,
                    WRITE,
                    WRITE_CONTROL,
                    WRITE_PIPELINE,
                    WRITE_SHARED,
                    COMMAND,
                    COMMAND_READING ->
                    rules(call, ground, call.tool());
        };
    }

    /** Rules that would lift the ground, each as an option; none is suggested that would not. */
    private static String rules(JudgedCall call, PolicyReason ground, String tool) {
        List<String> rules = new ArrayList<>();
        if (call.facts().isEmpty()) {
            String subject =
                    call.kind() == SubjectKind.URL
                            ? HostPattern.server(ground.subject()).replaceFirst(":0$", "")
                            : ground.subject();
            rules.add(tool + "(" + subject + ")");
        } else if (call.facts().get().reading() instanceof ShellReading.Clear) {
            rules.addAll(PermissionPolicy.each(call, tool));
        }
        if (rules.isEmpty() && ground.row().isLiftedByRule(false)) {
            rules.add(tool);
        }
        if (rules.isEmpty()) {
            return AT_A_TERMINAL;
        }
        rules.replaceAll(rule -> "--allow '" + rule.replace("'", "'\\''") + "'");
        return String.join(" ", rules);
    }
}
