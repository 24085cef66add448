package dev.agentloop.cli.setup;

import dev.agentloop.cli.command.ExitCode;

/** The end of a run whose worker is gone: what it does now nobody would have on record. */
final class WorkerGone {
    private static final long GRACE_MILLIS = 3_000; // for the hooks that kill commands

    private WorkerGone() {}

    static void end() {
        Thread hard =
                new Thread(
                        () -> {
                            try {
                                Thread.sleep(GRACE_MILLIS);
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            Runtime.getRuntime().halt(ExitCode.INTERRUPTED.code());
                        },
                        "worker-gone");
        hard.setDaemon(true);
        hard.start();
        Runtime.getRuntime().exit(ExitCode.INTERRUPTED.code());
    }
}
