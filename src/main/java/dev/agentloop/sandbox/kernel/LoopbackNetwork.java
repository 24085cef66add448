package dev.agentloop.sandbox.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A network with nothing but its own loopback that all commands of a run share: what one of them
 * serves, the next one can fetch. It lasts as long as the run.
 */
public final class LoopbackNetwork implements AutoCloseable {
    private static final Path NAMESPACE_TOOL = Path.of("/usr/bin/nsenter");

    private final Path program;
    private @Nullable NamespaceKeeper keeper;
    private List<String> entrance = List.of();
    private int slow; // trials that took too long
    private boolean impossible = !Files.isExecutable(NAMESPACE_TOOL);

    /**
     * @param program bubblewrap
     */
    public LoopbackNetwork(Path program) {
        this.program = program;
    }

    /**
     * What is put before a program so that it starts there; empty where the machine cannot, or is
     * too slow just now: then the command has a loopback of its own.
     */
    public synchronized Optional<List<String>> entrance() {
        if (impossible) {
            return Optional.empty();
        }
        if (keeper == null || !keeper.isAlive()) {
            begin();
        }
        return impossible || keeper == null ? Optional.empty() : Optional.of(entrance);
    }

    /** For the end of the run. */
    @Override
    public synchronized void close() {
        impossible = true;
        if (keeper != null) {
            keeper.close();
        }
    }

    private void begin() {
        List<String> argv = new ArrayList<>(List.of(program.toString()));
        argv.addAll(List.of("--unshare-user", "--unshare-net", "--unshare-ipc"));
        argv.addAll(List.of("--ro-bind", "/", "/", "--proc", "/proc"));
        try {
            keeper =
                    NamespaceKeeper.start(argv, Optional.empty(), List.of("/bin/cat")).orElse(null);
            impossible = keeper == null ? ++slow == NamespaceKeeper.MOST_SLOW : !canEnter(keeper);
        } catch (IOException e) {
            impossible = true;
        }
        if (impossible) {
            close();
        }
    }

    /** Another nsenter may not know the options, and a kernel may forbid it. */
    private boolean canEnter(NamespaceKeeper started) throws IOException {
        List<String> argv = new ArrayList<>(List.of(NAMESPACE_TOOL.toString(), "-t"));
        argv.addAll(List.of(started.pid(), "-U", "-n", "--preserve-credentials", "--"));
        entrance = List.copyOf(argv);
        argv.addAll(List.of(program.toString(), "--unshare-user", "--unshare-pid"));
        argv.addAll(List.of("--ro-bind", "/", "/", "/bin/true"));
        return started.admits(argv);
    }
}
