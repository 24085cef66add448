package dev.agentloop.sandbox.git;

import dev.agentloop.sandbox.git.file.GitFiles;
import dev.agentloop.sandbox.git.settings.ConfigText;
import dev.agentloop.sandbox.git.settings.GitSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/** What a file is to git; one file can be several of these, and each is judged alone. */
enum GitFileKind {
    ALTERNATES(file -> any(file, "takes objects from elsewhere")),
    ATTRIBUTES(GitFileKind::attributes),
    COMMONDIR(GitFileKind::commondir),
    GRAFTS(file -> any(file, "changes the parents of commits")),
    HOOK(GitFileKind::hook),
    /** {@link GitIndex#dangers} has them. */
    INDEX(_ -> List.of()),
    OPTIONS(GitFileKind::options),
    REFERENCE(GitFileKind::reference),
    REMOTE(file -> any(file, "names another repository")),
    /** Their dangers depend on more than the file: {@link GitSettings#dangers} has them. */
    SETTINGS(_ -> List.of()),
    STEPS(GitFileKind::todo),
    STRATEGY(GitFileKind::strategy);

    private static final Pattern TODO =
            Pattern.compile(
                    "(?s)\\s*(#.*|(pick|p|reword|r|edit|e|squash|s|fixup|f|drop|d|label|l|reset|t"
                            + "|merge|m|update-ref|u|noop|revert|break|b)(\\s.*)?)?");
    private static final Set<String> STRATEGIES =
            Set.of("", "ort", "recursive", "resolve", "octopus", "ours", "subtree");
    private static final Set<String> SEQUENCER =
            Set.of(
                    "options.no-commit",
                    "options.edit",
                    "options.allow-empty",
                    "options.allow-empty-message",
                    "options.keep-redundant-commits",
                    "options.signoff",
                    "options.record-origin",
                    "options.allow-ff",
                    "options.mainline",
                    "options.strategy-option",
                    "options.gpg-sign",
                    "options.allow-rerere-auto",
                    "options.default-msg-cleanup");

    private final Function<Path, List<String>> dangers;

    GitFileKind(Function<Path, List<String>> dangers) {
        this.dangers = dangers;
    }

    /** What git would run or read elsewhere because of the file, in sentences. */
    List<String> dangers(Path file) {
        return dangers.apply(file);
    }

    /** Whether ordinary work changes it with each step. */
    boolean isOftenWritten() {
        return this == INDEX || this == REFERENCE;
    }

    private static List<String> reference(Path file) {
        String text = GitFiles.text(file, GitFiles.MOST_SETTINGS);
        String name = text.startsWith("ref:") ? text.substring("ref:".length()).strip() : "refs/x";
        boolean usual = name.startsWith("refs/") && !GitIndex.isAstray(name);
        boolean read = GitFiles.bytes(file, GitFiles.MOST_SETTINGS).isPresent();
        return usual && (read || Files.isSymbolicLink(file))
                ? List.of()
                : any(file, "names no branch, so git would write elsewhere");
    }

    private static List<String> any(Path file, String danger) {
        return List.of(danger + " " + GitFiles.digest(file));
    }

    private static List<String> hook(Path file) {
        String run = Files.isExecutable(file) ? "x" : "-";
        return List.of("would be run by git " + run + GitFiles.digest(file));
    }

    /** As {@code git worktree add} writes it. */
    private static List<String> commondir(Path file) {
        Path store = file.getParent();
        Path all = store == null ? null : store.getParent();
        boolean usual =
                all != null
                        && all.endsWith("worktrees")
                        && GitFiles.text(file, 100).strip().equals("../..");
        return usual ? List.of() : any(file, "leads git to another folder");
    }

    private static List<String> attributes(Path file) {
        String text = GitFiles.text(file, GitFiles.MOST_SETTINGS);
        boolean harmless = !text.contains("=") && GitFiles.bytes(file, text.length()).isPresent();
        return harmless ? List.of() : any(file, "chooses programs for files");
    }

    private static List<String> todo(Path file) {
        String text = GitFiles.text(file, GitFiles.MOST_SETTINGS);
        boolean empty = text.isEmpty() && GitFiles.bytes(file, 0).isEmpty();
        for (String line : text.split("\n")) {
            if (empty || !TODO.matcher(line).matches()) {
                return any(file, "makes a rebase run a program (exec)");
            }
        }
        return List.of();
    }

    private static List<String> strategy(Path file) {
        boolean usual = STRATEGIES.contains(GitFiles.text(file, 100).strip());
        return usual ? List.of() : any(file, "names a program that merges");
    }

    private static List<String> options(Path file) {
        return GitFiles.bytes(file, GitFiles.MOST_SETTINGS)
                .flatMap(ConfigText::read)
                .filter(all -> all.stream().allMatch(one -> SEQUENCER.contains(one.name())))
                .map(_ -> List.<String>of())
                .orElseGet(() -> any(file, "makes a cherry-pick run a program"));
    }
}
