package dev.agentloop.cli.run;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.process.ProcessRunner;

/** The net below everything else: no command outlives this process, however it ends. */
final class ChildrenAtExit implements AutoCloseable {
    private final Thread hook;
    private final boolean set;

    private ChildrenAtExit(ProcessRunner processes, boolean set) {
        this.hook = new Thread(processes::killAll, "children");
        this.set = set;
        if (set) {
            Runtime.getRuntime().addShutdownHook(hook);
        }
    }

    /** Until closed, by when the run itself has ended them. */
    static ChildrenAtExit watch(ProcessRunner processes, Invocation invocation) {
        return new ChildrenAtExit(processes, invocation.ownsProcess());
    }

    @Override
    public void close() {
        try {
            if (set) {
                Runtime.getRuntime().removeShutdownHook(hook);
            }
        } catch (IllegalStateException e) {
            return; // the process is ending, and the hook at work
        }
    }
}
