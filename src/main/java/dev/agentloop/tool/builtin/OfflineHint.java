package dev.agentloop.tool.builtin;

import dev.agentloop.process.CommandOutcome;
import java.util.List;
import java.util.Locale;

/** Tells a model whose command has failed for want of the network what it can do. */
final class OfflineHint {
    static final String TEXT =
            "\n\n[Commands have no network in the sandbox. If this one needs it, call run_command"
                    + " again with network: true.]";

    /** What programs say then, in lower case: C libraries, Java, Node, Go, Python, git, npm. */
    private static final List<String> COMPLAINTS =
            List.of(
                    "could not resolve",
                    "couldn't resolve",
                    "could not be resolved",
                    "name or service not known",
                    "name resolution",
                    "nodename nor servname",
                    "no such host",
                    "unknown host",
                    "unknownhostexception",
                    "getaddrinfo",
                    "eai_again",
                    "enotfound",
                    "dial tcp",
                    "enetunreach",
                    "network is unreachable",
                    "no route to host",
                    "dns error");

    private OfflineHint() {}

    static boolean fits(CommandOutcome outcome) {
        if (outcome.ending() != CommandOutcome.Ending.EXITED || outcome.exitCode() == 0) {
            return false;
        }
        String said = outcome.stdout().text() + "\n" + outcome.stderr().text();
        String lower = said.toLowerCase(Locale.ROOT);
        return COMPLAINTS.stream().anyMatch(lower::contains);
    }
}
