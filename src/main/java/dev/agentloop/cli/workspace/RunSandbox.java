package dev.agentloop.cli.workspace;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.LoadedConfig;
import dev.agentloop.config.source.Origin;
import dev.agentloop.git.RefNotes;
import dev.agentloop.process.VariableReach;
import dev.agentloop.sandbox.Leftovers;
import dev.agentloop.sandbox.Tier;
import dev.agentloop.sandbox.watch.Boundaries;
import dev.agentloop.wiring.SandboxChoice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a command line says about the sandbox, and what is said about the one that was found. */
public final class RunSandbox {
    private RunSandbox() {}

    /** Refuses what cannot be; looks for the sandbox only if that depends on it. */
    public static SandboxChoice choose(
            Invocation invocation, AgentConfig config, LoadedConfig loaded) throws UsageException {
        SandboxChoice choice =
                SandboxChoice.of(
                                config.sandbox().mode(),
                                boundaries(invocation, config),
                                cache(invocation),
                                records(invocation))
                        .noting(notes(invocation));
        check(choice, config, loaded);
        return choice;
    }

    /** Of branches that commands may have changed. */
    static RefNotes notes(Invocation invocation) {
        return new RefNotes(invocation.state().resolve("refs"));
    }

    /** The strongest one of this machine, whatever the configuration says. */
    public static SandboxChoice strongest(Invocation invocation) {
        return found(invocation, AgentConfig.SandboxMode.AUTO);
    }

    /** One of this machine, for no run. */
    public static SandboxChoice found(Invocation invocation, AgentConfig.SandboxMode mode) {
        Path here = invocation.currentDirectory();
        return SandboxChoice.of(
                mode,
                new Boundaries(
                        here,
                        invocation.home(),
                        List.of(),
                        List.of(),
                        invocation.environment(),
                        false),
                cache(invocation),
                records(invocation));
    }

    /** Of what commands that run could leave behind, if this program is killed. */
    private static Path records(Invocation invocation) {
        return invocation.state().resolve("commands");
    }

    /**
     * A folder for temporary files that no sandboxed command can write to or exchange: what the
     * sandbox itself is told lies there. TMPDIR may be in the workspace, as on some build servers.
     */
    public static String temporary(Invocation invocation, Path workspace, AgentConfig config) {
        List<Path> writable = new ArrayList<>(config.sandbox().writable());
        writable.addAll(config.permissions().addDirs());
        return temporary(invocation, workspace, writable);
    }

    static String temporary(Invocation invocation, Path workspace, List<Path> writable) {
        List<Path> changeable = new ArrayList<>(List.of(workspace));
        writable.forEach(path -> real(path).ifPresent(changeable::add));
        String wanted = invocation.variable("TMPDIR");
        String own = invocation.state().toString(); // commands never write there
        return Stream.of(wanted, "/tmp", "/var/tmp")
                .filter(place -> place.startsWith("/"))
                .filter(place ->
                        real(Path.of(place))
                                .filter(path -> changeable.stream().noneMatch(path::startsWith))
                                .isPresent())
                .findFirst()
                .orElse(own);
    }

    private static Optional<Path> real(Path path) {
        try {
            return Optional.of(path.toRealPath());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Cleans up after killed runs before anything of the workspace is read; what to say of it. */
    public static List<String> sweep(Invocation invocation, Path workspace) {
        return Leftovers.sweep(records(invocation), workspace);
    }

    private static Path cache(Invocation invocation) {
        return invocation.xdg("XDG_CACHE_HOME", ".cache").resolve("sandbox");
    }

    private static Boundaries boundaries(Invocation invocation, AgentConfig config) {
        return new Boundaries(
                config.workspace(),
                invocation.home(),
                own(invocation, config),
                config.sandbox().writable(),
                config.sandbox().readable(),
                invocation.environment(),
                config.sandbox().network(),
                List.of(),
                config.permissions().addDirs());
    }

    private static List<Path> own(Invocation invocation, AgentConfig config) {
        List<Path> own = new ArrayList<>();
        own.add(invocation.xdg("XDG_CONFIG_HOME", ".config"));
        own.add(invocation.state());
        config.permissions().auditLog().ifPresent(own::add);
        return own;
    }

    /** Three words of the user, none of which implies another. Waits only where it must know. */
    private static void check(SandboxChoice choice, AgentConfig config, LoadedConfig loaded)
            throws UsageException {
        AgentConfig.SandboxMode mode = config.sandbox().mode();
        boolean mustHave =
                mode != AgentConfig.SandboxMode.AUTO && mode != AgentConfig.SandboxMode.OFF;
        if (mustHave && choice.tier() == Tier.NONE) {
            throw new UsageException(
                    "A sandbox is required, but none works here: "
                            + choice.trouble()
                            + ".\n  Mend it, use --sandbox auto, or run the agent inside a container;"
                            + " agent doctor --sandbox tells more.");
        }
        boolean yolo = config.permissions().confirm() == AgentConfig.Confirm.YOLO;
        if (yolo && !isOffByOption(loaded) && choice.tier() == Tier.NONE) {
            throw new UsageException(
                    "yolo without a working sandbox needs --sandbox off on the command line:"
                            + " commands then run with your own rights, unasked."
                            + (choice.trouble().isEmpty()
                                    ? ""
                                    : "\n  There is none: " + choice.trouble() + "."));
        }
    }

    /** Whether the person said for this one call of the program that there is to be none. */
    static boolean isOffByOption(LoadedConfig loaded) {
        return loaded.config().sandbox().mode() == AgentConfig.SandboxMode.OFF
                && loaded.origin("sandbox.mode").kind() == Origin.Kind.OPTION;
    }

    /** Which variables commands get: somebody who wants no sandbox for them hides nothing. */
    public static VariableReach variables(LoadedConfig loaded) {
        return isOffByOption(loaded) ? VariableReach.ALL : VariableReach.KNOWN;
    }

    /** What to tell about a weaker sandbox than there could be. */
    public static Optional<String> warning(SandboxChoice choice) {
        if (choice.trouble().isEmpty()) {
            return Optional.empty();
        }
        return switch (choice.tier()) {
            case BWRAP -> Optional.empty();
            case LANDLOCK ->
                    Optional.of(
                            "commands run in the weaker sandbox, Landlock: " + choice.trouble());
            case NONE -> Optional.of("commands run without a sandbox: " + choice.trouble());
        };
    }
}
