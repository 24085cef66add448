package dev.agentloop.cli;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.LoadedConfig;
import dev.agentloop.config.Origin;
import dev.agentloop.permission.Circumstances;
import dev.agentloop.permission.Use;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** Finds out under what circumstances the policy of a run decides. */
final class Circumstantial {
    private Circumstantial() {}

    /** Where our configuration, our state and our caches are, by real path. */
    static List<Path> ownFolders(Invocation invocation) throws IOException {
        List<Path> folders = new ArrayList<>();
        for (Path folder :
                List.of(
                        invocation.xdg("XDG_CONFIG_HOME", ".config"),
                        invocation.xdg("XDG_STATE_HOME", ".local/state"),
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
     * The circumstances of a run.
     *
     * @param workspace real path
     * @param as decides as in this use; empty: in the one at hand
     */
    static Circumstances of(
            ParseResult arguments,
            Invocation invocation,
            LoadedConfig loaded,
            Path workspace,
            boolean trusted,
            Optional<Use> as)
            throws IOException {
        List<Path> readable = new ArrayList<>(List.of(Path.of("/usr/include")));
        readable.add(Path.of(System.getProperty("java.home", "/usr/lib/jvm")));
        return new Circumstances(
                as.orElse(Use.of(!invocation.isHeadless(), trusted)),
                confinement(loaded),
                workspace,
                invocation.home(),
                readable,
                ownFolders(invocation),
                false,
                List.of(),
                RunOption.ALLOW_DESTRUCTIVE.isGiven(arguments));
    }

    private static Circumstances.Confinement confinement(LoadedConfig loaded) {
        boolean off =
                loaded.config().sandbox().mode() == AgentConfig.SandboxMode.OFF
                        && loaded.origin("sandbox.mode").kind() == Origin.Kind.OPTION;
        return off ? Circumstances.Confinement.OFF_BY_WORD : Circumstances.Confinement.UNCONFINED;
    }
}
