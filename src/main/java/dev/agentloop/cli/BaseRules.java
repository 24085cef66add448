package dev.agentloop.cli;

import dev.agentloop.config.ProjectStanding;
import dev.agentloop.control.Cancellation;
import dev.agentloop.git.CommitFiles;
import dev.agentloop.git.Git;
import dev.agentloop.output.SafeText;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/**
 * The project's rules as a commit has them ({@code --rules-from}): whoever changed them in the
 * files, as a pull request may, has changed nothing for this run.
 *
 * @param changed files of rules that are otherwise in the workspace
 */
record BaseRules(CommitFiles commit, Map<String, String> texts, List<String> changed) {
    private static final Duration PATIENCE = Duration.ofSeconds(10); // a cold disk of a CI machine
    private static final int MAX_BYTES = 1_000_000; // as of a configuration file
    private static final Path FOLDER = Path.of(".agent");
    private static final List<String> CONFIGURATION = List.of("config.yaml", "policy.yaml");

    /**
     * What the option asks for; empty if it is not given.
     *
     * @throws UsageException if there is no such commit, or what it holds cannot be read
     */
    static Optional<BaseRules> of(ParseResult arguments, Invocation invocation, Path workspace)
            throws UsageException {
        if (!RunOption.RULES_FROM.isGiven(arguments)) {
            return Optional.empty();
        }
        String ref = RunOption.RULES_FROM.text(arguments);
        if (ref.isBlank() || ref.startsWith("-") || ref.chars().anyMatch(Character::isISOControl)) {
            throw new UsageException(
                    "--rules-from needs a commit of git, e.g. --rules-from origin/main.");
        }
        ProcessRunner runner = new ProcessRunner(invocation.environment(), List.of());
        try {
            return Optional.of(read(ref, runner, workspace));
        } catch (IOException e) {
            throw new UsageException(
                    "--rules-from "
                            + SafeText.line(ref)
                            + ": "
                            + SafeText.line(String.valueOf(e.getMessage()))
                            + ".\n  Name a commit that is there; CI often has to fetch the base"
                            + " branch first: git fetch origin main.");
        } finally {
            runner.killAll();
        }
    }

    private static BaseRules read(String ref, ProcessRunner runner, Path workspace)
            throws IOException {
        String program =
                runner.program("git", workspace)
                        .orElseThrow(() -> new IOException("there is no git on the PATH"))
                        .toString();
        Git git =
                Git.of(program, runner, CommandRequest.Reach.TRUSTED, PATIENCE, new Cancellation());
        CommitFiles commit = CommitFiles.of(git, workspace, ref);
        Map<String, String> texts = new LinkedHashMap<>();
        List<String> changed = new ArrayList<>();
        for (String name : CONFIGURATION) {
            Path file = FOLDER.resolve(name);
            Optional<String> text = text(commit, file);
            text.ifPresent(found -> texts.put(name, found));
            String difference = difference(text, workspace.resolve(file));
            if (!difference.isEmpty()) {
                changed.add(file + " (" + difference + ")");
            }
        }
        return new BaseRules(commit, Map.copyOf(texts), List.copyOf(changed));
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

    /** How far the project's configuration counts: as it was decided, but as the commit has it. */
    static ProjectStanding standing(
            ParseResult arguments, Invocation invocation, Path workspace, ProjectStanding decided)
            throws UsageException {
        return of(arguments, invocation, workspace)
                .map(base -> decided.from(base.configuration()))
                .orElse(decided);
    }

    private ProjectStanding.Base configuration() {
        return new ProjectStanding.Base(commit.ref(), texts, notice());
    }

    /** What to tell people; empty if nothing is different here. */
    private String notice() {
        return changed.isEmpty()
                ? ""
                : "Rules are those of "
                        + SafeText.line(commit.ref())
                        + " ("
                        + commit.id().substring(0, 8)
                        + "), not these of the workspace: "
                        + String.join(", ", changed);
    }
}
