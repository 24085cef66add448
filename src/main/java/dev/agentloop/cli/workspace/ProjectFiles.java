package dev.agentloop.cli.workspace;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.config.source.ProjectStanding;
import dev.agentloop.control.Cancellation;
import dev.agentloop.git.CommitFiles;
import dev.agentloop.git.Git;
import dev.agentloop.git.RefNotes;
import dev.agentloop.output.SafeText;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.prompt.GuidanceReader;
import dev.agentloop.skill.SkillPlaces;
import dev.agentloop.wiring.run.GuidancePlaces;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.ParseResult;

/**
 * The project's own files as this run takes them: as they are, as a commit has them ({@code
 * --rules-from}), or not at all. Whoever changed them, as a pull request may, has changed nothing
 * for a run that takes them from a commit.
 *
 * @param root of the git worktree that the workspace is part of, else the workspace
 * @param base the commit, with its configuration
 * @param decided how far they count
 */
public record ProjectFiles(Path root, Optional<Base> base, ProjectStanding decided) {
    private static final Duration PATIENCE = Duration.ofSeconds(10); // a cold disk of a CI machine
    private static final int MAX_BYTES = 1_000_000; // as of a configuration file
    private static final Path FOLDER = Path.of(".agent");
    private static final List<String> CONFIGURATION = List.of("config.yaml", "policy.yaml");

    /**
     * What a commit says.
     *
     * @param texts of the configuration, by file name
     * @param changed files of rules that are otherwise in the workspace
     */
    record Base(CommitFiles commit, Map<String, String> texts, List<String> changed) {}

    /**
     * As the command line and the trust want it.
     *
     * @throws UsageException if there is no such commit, or what it holds cannot be read
     */
    public static ProjectFiles of(
            ParseResult arguments, Invocation invocation, Path workspace, WorkspaceTrust trust)
            throws UsageException {
        Path root = trust.identity().root();
        ProjectStanding decided = trust.project();
        if (RunOption.RULES_FROM.isGiven(arguments)) {
            Base base = base(RunOption.RULES_FROM.text(arguments), invocation, root, workspace);
            return new ProjectFiles(root, Optional.of(base), decided);
        }
        boolean unread = invocation.isHeadless() && !decided.trusted();
        List<String> left = unread ? guidance(root, workspace) : List.of();
        return new ProjectFiles(root, Optional.empty(), decided.leavingOut(left));
    }

    /** How far the project's configuration counts, and which version of it. */
    public ProjectStanding standing() {
        return base.map(found ->
                        decided.from(
                                new ProjectStanding.Base(
                                        found.commit().ref(), found.texts(), notice(found))))
                .orElse(decided);
    }

    /** Where guidance for the model is read from. */
    public GuidancePlaces guidance(Invocation invocation) {
        return new GuidancePlaces(
                invocation.xdg("XDG_CONFIG_HOME", ".config"),
                root,
                invocation.state(),
                base.map(Base::commit));
    }

    /**
     * Where skills and commands are looked for: in a project's only if it counts as it is.
     *
     * @param workspace must exist
     */
    public SkillPlaces skills(Invocation invocation, Path workspace) throws IOException {
        return new SkillPlaces(
                invocation.xdg("XDG_CONFIG_HOME", ".config"),
                decided.trusted() && base.isEmpty()
                        ? Optional.of(new SkillPlaces.Project(root, workspace.toRealPath()))
                        : Optional.empty());
    }

    private static List<String> guidance(Path root, Path workspace) {
        List<String> there = new ArrayList<>();
        Set<Path> folders = new HashSet<>(); // of two names in one folder the first counts
        for (Path file : guidanceFiles(root, workspace)) {
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && folders.add(file.getParent())) {
                there.add(file.toString());
            }
        }
        return there;
    }

    /** Names that guidance may have from the root down to the workspace. */
    private static List<Path> guidanceFiles(Path root, Path workspace) {
        List<Path> files = new ArrayList<>();
        Path folder = real(workspace);
        while (folder != null && folder.startsWith(root)) {
            for (String name : GuidanceReader.NAMES) {
                files.add(folder.resolve(name));
            }
            folder = folder.getParent();
        }
        return files;
    }

    private static Path real(Path workspace) {
        try {
            return workspace.toRealPath();
        } catch (IOException e) {
            return workspace; // whoever needs it will say that it is not there
        }
    }

    private static Base base(String ref, Invocation invocation, Path root, Path workspace)
            throws UsageException {
        if (ref.isBlank() || ref.startsWith("-") || ref.chars().anyMatch(Character::isISOControl)) {
            throw new UsageException(
                    "--rules-from needs a commit of git, e.g. --rules-from origin/main.");
        }
        ProcessRunner runner = new ProcessRunner(invocation.environment(), List.of());
        try {
            RulesFolder.checkNamed(RulesFolder.named(workspace, invocation), root);
            return read(ref, runner, RunSandbox.notes(invocation), root, real(workspace));
        } catch (IOException e) {
            throw new UsageException(
                    "--rules-from "
                            + SafeText.line(ref)
                            + ": "
                            + SafeText.line(String.valueOf(e.getMessage()))
                            + ".\n  Name a commit that is there, with its files; CI often has to fetch"
                            + " the base branch first: git fetch origin main.");
        } finally {
            runner.killAll();
        }
    }

    private static Base read(
            String ref, ProcessRunner runner, RefNotes notes, Path root, Path workspace)
            throws IOException {
        Git git =
                Git.find(runner, workspace, PATIENCE, new Cancellation())
                        .orElseThrow(() -> new IOException("there is no git on the PATH"));
        CommitFiles commit = CommitFiles.of(git, root, ref, notes);
        RulesFolder.checkIn(commit, root.relativize(workspace.resolve(FOLDER)));
        Map<String, String> texts = new LinkedHashMap<>();
        List<String> changed = new ArrayList<>();
        for (String name : CONFIGURATION) {
            Path file = workspace.resolve(FOLDER).resolve(name);
            Optional<String> text = text(commit, root.relativize(file));
            text.ifPresent(found -> texts.put(name, found));
            note(text, file, workspace, changed);
        }
        for (Path file : guidanceFiles(root, workspace)) {
            Optional<CommitFiles.Entry> entry = commit.read(root.relativize(file), MAX_BYTES);
            boolean isRead = entry.isPresent() && entry.get() instanceof CommitFiles.Entry.Text;
            if (isRead || Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) { // links are not
                Optional<String> text =
                        entry.map(is -> is instanceof CommitFiles.Entry.Text(String it) ? it : "");
                note(text, file, workspace, changed);
            }
        }
        return new Base(commit, Map.copyOf(texts), List.copyOf(changed));
    }

    private static void note(Optional<String> base, Path file, Path workspace, List<String> changed)
            throws IOException {
        String difference = difference(base, file);
        if (!difference.isEmpty()) {
            changed.add(SafeText.line(workspace.relativize(file) + "") + " (" + difference + ")");
        }
    }

    private static Optional<String> text(CommitFiles commit, Path file) throws IOException {
        Optional<CommitFiles.Entry> entry = commit.read(file, MAX_BYTES);
        if (entry.isEmpty()) {
            return Optional.empty();
        }
        return switch (entry.get()) {
            case CommitFiles.Entry.Text(String text) -> Optional.of(text);
            case CommitFiles.Entry.Unread(String what) ->
                    throw new IOException(file + " is " + what + " there, which is not read");
        };
    }

    /** How a file of the workspace is another one; empty if it is the same. */
    private static String difference(Optional<String> base, Path file) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return base.isPresent() ? "removed" : "";
        }
        if (base.isEmpty()) {
            return "added";
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > MAX_BYTES) {
            return "changed";
        }
        String now = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        return plain(now).equals(plain(base.get())) ? "" : "changed";
    }

    /** A checkout may write other line ends than the commit has. */
    private static String plain(String text) {
        return text.replace("\r\n", "\n");
    }

    /** What to tell people; empty if nothing is different here. */
    private static String notice(Base base) {
        return base.changed().isEmpty()
                ? ""
                : "Rules are those of "
                        + SafeText.line(base.commit().ref())
                        + " ("
                        + base.commit().id().substring(0, 8)
                        + "), not these of the workspace: "
                        + String.join(", ", base.changed());
    }
}
