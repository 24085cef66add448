package dev.agentloop.permission;

import dev.agentloop.tool.HostPattern;
import dev.agentloop.tool.SubjectKind;

/** What the person who started the run can do about a denial of the default policy. */
final class Remedy {
    private Remedy() {}

    /** The denial's reason, with the remedy if there is one. */
    static String with(Judged call, Ground ground, Use use) {
        String reason = ground.reason() + " (" + ground.row().id() + ")";
        String remedy = of(call, ground);
        if (remedy.isEmpty()) {
            return reason + ". Go on without it.";
        }
        return reason
                + (use.isAttended() ? ", and this workspace is not trusted" : nobody())
                + ". The person who started the run can allow it with "
                + remedy
                + ". Go on without it.";
    }

    private static String nobody() {
        return ", and there is no terminal to ask at";
    }

    private static String of(Judged call, Ground ground) {
        return switch (ground.row()) {
            case WRITE_OWN, WRITE_OUTSIDE, TOO_COMPLEX -> "";
            case DESTRUCTIVE ->
                    "--trust --allow-destructive, or by running it at a terminal themselves";
            case COMMAND_UNCONFINED, COMMAND_UNCONFINED_BY_WORD ->
                    "a sandbox (install the package bubblewrap), with --trust --sandbox off, with"
                            + " --yolo --sandbox off, or with --allow '"
                            + rule(call, ground)
                            + "'";
            case COMMAND_WITH_NETWORK ->
                    "--allow-net, or with --allow 'network(" + ground.subject() + ")'";
            case FETCH -> "--allow-net, or with --allow '" + rule(call, ground) + "'";
            case READ,
                    READ_SECRET,
                    READ_OUTSIDE,
                    WRITE,
                    WRITE_CONTROL,
                    WRITE_SHARED,
                    COMMAND,
                    COMMAND_READING,
                    PUBLISH ->
                    "--allow '" + rule(call, ground) + "'";
        };
    }

    private static String rule(Judged call, Ground ground) {
        String subject =
                call.kind() == SubjectKind.URL
                        ? HostPattern.server(ground.subject()).replaceFirst(":0$", "")
                        : ground.subject();
        boolean exact = subject.length() <= 200 && subject.chars().noneMatch(c -> c < ' ');
        return call.tool() + "(" + (exact ? subject : "PATTERN") + ")";
    }
}
