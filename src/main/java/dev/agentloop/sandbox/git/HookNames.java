package dev.agentloop.sandbox.git;

import java.util.Set;

/** What git runs in a folder of hooks; other files there are no business of its. */
final class HookNames {
    static final Set<String> ALL =
            Set.of(
                    "applypatch-msg",
                    "commit-msg",
                    "fsmonitor-watchman",
                    "p4-changelist",
                    "p4-post-changelist",
                    "p4-pre-submit",
                    "p4-prepare-changelist",
                    "post-applypatch",
                    "post-checkout",
                    "post-commit",
                    "post-index-change",
                    "post-merge",
                    "post-receive",
                    "post-rewrite",
                    "post-update",
                    "pre-applypatch",
                    "pre-auto-gc",
                    "pre-commit",
                    "pre-merge-commit",
                    "pre-push",
                    "pre-rebase",
                    "pre-receive",
                    "prepare-commit-msg",
                    "proc-receive",
                    "push-to-checkout",
                    "reference-transaction",
                    "sendemail-validate",
                    "update");

    private HookNames() {}
}
