package dev.agentloop.cli;

import sun.misc.Signal;

/**
 * Ends this process when the one that started it is gone: killed alone, the bootstrap leaves nobody
 * who could stop us. That counts as TERM.
 */
public final class BootstrapWatch {
    private BootstrapWatch() {}

    /** Watches only below a bootstrap; the launcher replaces itself by this process. */
    public static void start() {
        if (Boolean.getBoolean("agent.bootstrapped")) {
            ProcessHandle.current().parent().ifPresent(BootstrapWatch::watch);
        }
    }

    private static void watch(ProcessHandle bootstrap) {
        Thread thread =
                new Thread(
                        () -> {
                            bootstrap.onExit().join();
                            Signal.raise(new Signal("TERM"));
                        },
                        "bootstrap watch");
        thread.setDaemon(true);
        thread.start();
    }
}
