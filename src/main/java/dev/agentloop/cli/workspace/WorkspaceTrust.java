package dev.agentloop.cli.workspace;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.terminal.TerminalApprover;
import dev.agentloop.cli.terminal.TerminalQuestion;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.config.source.ProjectStanding;
import dev.agentloop.output.SafeText;
import dev.agentloop.trust.TrustStore;
import dev.agentloop.trust.TrustStore.Standing;
import dev.agentloop.trust.WorkspaceIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Whether this run believes the workspace: by a word, by an earlier decision, or by a new one. */
public final class WorkspaceTrust {
    private static final int SHOWN_LINES = 40; // of one file of the project's configuration

    private final TrustStore store;
    private final WorkspaceIdentity workspace;
    private final Path folder;
    private Standing standing;
    private boolean word;

    private WorkspaceTrust(TrustStore store, WorkspaceIdentity workspace, Path folder)
            throws IOException {
        this.store = store;
        this.workspace = workspace;
        this.folder = folder;
        this.standing = store.standing(workspace);
    }

    /**
     * How the workspace stands.
     *
     * @param folder the workspace; must exist
     * @throws ConfigException if what was decided cannot be read
     */
    public static WorkspaceTrust of(Invocation invocation, Path folder) {
        try {
            Path home = invocation.home();
            WorkspaceIdentity workspace = WorkspaceIdentity.of(folder, home);
            Optional<Path> own = ownFolderIn(workspace.root(), invocation);
            if (own.isPresent()) {
                workspace = workspace.doubted(own.get() + ", where decisions are kept, is in it");
            }
            return new WorkspaceTrust(store(invocation), workspace, folder);
        } catch (IOException e) {
            throw new ConfigException(
                    "",
                    "whether the workspace is trusted cannot be found out: " + e.getMessage(),
                    "Correct that, or move the file away.",
                    "");
        }
    }

    public static TrustStore store(Invocation invocation) {
        return new TrustStore(invocation.state().resolve("trust"));
    }

    /** A workspace that holds our own files could write its own pardon. */
    private static Optional<Path> ownFolderIn(Path root, Invocation invocation) throws IOException {
        for (Path own : RunCircumstances.ownFolders(invocation)) {
            if (own.startsWith(root)) {
                return Optional.of(own);
            }
        }
        return Optional.empty();
    }

    /** The person's word for this one run. */
    public void trustForNow() {
        word = true;
    }

    public boolean isTrusted() {
        return word || standing == Standing.TRUSTED;
    }

    /** How far its configuration counts by what was decided. */
    public ProjectStanding project() {
        if (isTrusted()) {
            return ProjectStanding.TRUSTED;
        }
        return switch (standing) {
            case CHANGED -> lost(".agent has changed since", true);
            case REPLACED -> lost("its folder or repository is another one now", false);
            case TRUSTED, UNKNOWN -> ProjectStanding.UNKNOWN;
        };
    }

    private static ProjectStanding lost(String why, boolean missed) {
        return ProjectStanding.refused(
                "this workspace was trusted, but "
                        + why
                        + "; its rules, also its denials, are not applied (look at it, then agent"
                        + " config trust, or --trust for one run)",
                missed);
    }

    private boolean wasTrusted() {
        return standing == Standing.CHANGED || standing == Standing.REPLACED;
    }

    public Standing standing() {
        return standing;
    }

    public WorkspaceIdentity identity() {
        return workspace;
    }

    /** Why no stored decision can hold; empty if one can. */
    public String doubt() {
        return workspace.doubt();
    }

    /** What a person has said always holds here; nothing where the workspace is not trusted. */
    public List<String> always() {
        try {
            return standing == Standing.TRUSTED ? store.allowed(workspace) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // was read a moment ago
        }
    }

    /** Keeps what a person allows for ever; only where the trust itself is kept. */
    public TerminalApprover.Keeper keeper() {
        return standing == Standing.TRUSTED ? this::keep : TerminalApprover.Keeper.NONE;
    }

    private boolean keep(List<String> rules) throws IOException {
        for (String rule : rules) {
            store.allow(workspace, rule);
        }
        return true;
    }

    /** Asks once; only a plain yes is kept. */
    public void ask(TerminalQuestion question) throws IOException {
        if (isTrusted() || !workspace.doubt().isEmpty()) {
            return;
        }
        if (question.isAgreed(text())) {
            decide();
        }
    }

    /** Trusts it from now on, as it is. */
    public void decide() throws IOException {
        store.trust(workspace);
        standing = Standing.TRUSTED;
    }

    private String text() throws IOException {
        StringBuilder text = new StringBuilder();
        text.append("Do you trust ").append(SafeText.line(workspace.root().toString()));
        text.append(wasTrusted() ? "? It is not what you trusted before.\n" : "?\n");
        text.append("  Yes: files in it are changed and sandboxed commands run without a question");
        text.append(
                workspace.config().isEmpty()
                        ? ".\n"
                        : ", and its own configuration holds:\n" + configuration());
        text.append("  No: each change and each command is asked about");
        text.append(workspace.config().isEmpty() ? ".\n" : ", its configuration is not read.\n");
        return text.toString();
    }

    private String configuration() throws IOException {
        StringBuilder text = new StringBuilder();
        for (Path file : workspace.configFiles()) {
            text.append("    ").append(SafeText.line(file.toString())).append('\n');
            String content =
                    new String(Files.readAllBytes(folder.resolve(file)), StandardCharsets.UTF_8);
            List<String> lines = content.lines().toList();
            for (String line : lines.subList(0, Math.min(SHOWN_LINES, lines.size()))) {
                text.append("      | ").append(SafeText.line(line)).append('\n');
            }
            if (lines.size() > SHOWN_LINES) {
                int rest = lines.size() - SHOWN_LINES;
                text.append("      … ").append(rest).append(" more lines\n");
            }
        }
        return text.toString();
    }
}
