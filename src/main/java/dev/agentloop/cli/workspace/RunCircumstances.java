package dev.agentloop.cli.workspace;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.config.LoadedConfig;
import dev.agentloop.permission.Circumstances;
import dev.agentloop.permission.Supervision;
import dev.agentloop.sandbox.Tier;
import dev.agentloop.storage.Roots;
import dev.agentloop.wiring.SandboxChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** Finds out under what circumstances the policy of a run decides. */
public final class RunCircumstances {
    private RunCircumstances() {}

    /** Where our configuration, our state and our caches are, by real path. */
    static List<Path> ownFolders(Invocation invocation) throws IOException {
        List<Path> folders = new ArrayList<>();
        for (Path folder :
                List.of(
                        invocation.xdg("XDG_CONFIG_HOME", ".config"),
                        invocation.state(),
                        invocation.xdg("XDG_CACHE_HOME", ".cache"))) {
            folders.add(real(folder));
        }
        return folders;
    }

    private static Path real(Path path) throws IOException {
        if (Files.exists(path)) {
            return path.toRealPath();
        }
        Path parent = path.toAbsolutePath().normalize().getParent();
        return parent == null ? path : real(parent).resolve(path.getFileName());
    }

    /**
     * What else is known of a run.
     *
     * @param workspace real path
     * @param added folders that count as part of it, by their real paths
     * @param outputs folder of outputs that are too long for a result
     * @param as decides as in this use; empty: in the one at hand
     */
    public record Known(
            Path workspace,
            List<Path> added,
            Path outputs,
            boolean trusted,
            SandboxChoice sandbox,
            Optional<Supervision> as) {}

    /** The circumstances of a run. */
    public static Circumstances of(
            ParseResult arguments, Invocation invocation, LoadedConfig loaded, Known known)
            throws IOException {
        List<Path> readable =
                List.of(
                        Path.of("/usr/include"),
                        Path.of(System.getProperty("java.home", "/usr/lib/jvm")),
                        known.outputs());
        List<Path> own = new ArrayList<>(ownFolders(invocation));
        if (loaded.config().permissions().auditLog().isPresent()) {
            own.add(real(loaded.config().permissions().auditLog().get()));
        }
        return new Circumstances(
                known.as().orElse(Supervision.of(!invocation.isHeadless(), known.trusted())),
                () -> confinement(known.sandbox(), loaded),
                new Roots(known.workspace(), known.added()),
                invocation.home(),
                readable,
                own,
                loaded.config().sandbox().network(),
                RunOption.ALLOW_DESTRUCTIVE.isGiven(arguments));
    }

    /** One sentence for each word of the command line that changes nothing. */
    public static List<String> idle(
            ParseResult arguments, Invocation invocation, boolean trusted, boolean resumed) {
        List<String> idle = new ArrayList<>();
        if (RunOption.ALLOW_DESTRUCTIVE.isGiven(arguments) && invocation.isHeadless() && !trusted) {
            idle.add("--allow-destructive has no effect, the workspace is not trusted (--trust)");
        }
        if (resumed && RunOption.APPEND_SYSTEM_PROMPT.isGiven(arguments)) {
            idle.add(
                    "--append-system-prompt has no effect: a session that goes on keeps its system"
                            + " prompt; say it in the task");
        }
        return idle;
    }

    private static Circumstances.Confinement confinement(
            SandboxChoice sandbox, LoadedConfig loaded) {
        if (RunSandbox.isOffByOption(loaded)) {
            return Circumstances.Confinement.OFF_BY_WORD;
        }
        return sandbox.tier() == Tier.NONE
                ? Circumstances.Confinement.UNCONFINED
                : Circumstances.Confinement.CONFINED;
    }
}
