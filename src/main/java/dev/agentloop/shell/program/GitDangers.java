package dev.agentloop.shell.program;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Git commands after which work is gone. */
public final class GitDangers {
    private static final String CHANGES = "throws away changes not committed";
    private static final String COMMITS = "throws away changes or commits";

    private GitDangers() {}

    /** What the command destroys, for a person; empty if nothing. */
    public static Optional<String> what(Subcommand words) {
        return switch (words.verb()) {
            case "clean" ->
                    when(
                            (forced(words) || isUnforced(words)) && !isDry(words),
                            "deletes files that git does not keep");
            case "reset" -> when(resets(words), CHANGES);
            case "read-tree" -> when(words.hasAnyWith("--res"), CHANGES);
            case "checkout-index" -> when(forced(words), CHANGES);
            case "checkout" ->
                    when(forced(words) || everything(words) || words.hasFlag('B'), COMMITS);
            case "restore" -> when(everything(words) && changesFiles(words), CHANGES);
            case "switch" ->
                    when(forced(words) || words.hasAnyWith("--di") || words.hasFlag('C'), COMMITS);
            case "rm" ->
                    when(
                            (words.hasFlag('r') || everything(words))
                                    && !isDry(words)
                                    && !words.hasAnyWith("--cac"),
                            "deletes folders with all they hold");
            case "submodule" ->
                    when(
                            words.operand(1).equals("deinit") && forced(words),
                            "deletes the work in a submodule");
            default -> references(words);
        };
    }

    /** What has been committed, and its names. */
    private static Optional<String> references(Subcommand words) {
        return switch (words.verb()) {
            case "tag" ->
                    when(
                            deletes(words) || forced(words),
                            "deletes or replaces a tag, which names what others have");
            case "push" -> when(rewrites(words), "replaces or deletes what others have pushed");
            case "branch" ->
                    when(
                            words.hasFlag('D')
                                    || words.hasFlag('M')
                                    || words.hasFlag('C')
                                    || forced(words),
                            "deletes or replaces a branch with what only it holds");
            case "fetch", "pull" ->
                    when(
                            replacesOwn(words),
                            "replaces branches of this repository by those of another");
            case "stash" ->
                    when(isOneOf(words.operand(1), "drop", "clear"), "deletes stashed changes");
            case "worktree" ->
                    when(words.operand(1).equals("remove") && forced(words), "deletes a worktree");
            case "notes" ->
                    when(isOneOf(words.operand(1), "remove", "prune"), "deletes notes of commits");
            case "replace" -> when(deletes(words) || forced(words), "replaces a commit");
            case "fast-import" -> when(forced(words), "replaces branches");
            case "update-ref" -> Optional.of("deletes or replaces a reference");
            case "symbolic-ref" ->
                    when(
                            words.hasFlag('d') || !words.operand(2).isEmpty(),
                            "makes a name of git mean another branch");
            case "filter-branch", "filter-repo" -> Optional.of("rewrites the history");
            default -> objects(words);
        };
    }

    private static Optional<String> objects(Subcommand words) {
        boolean lost =
                switch (words.verb()) {
                    case "reflog" -> isOneOf(words.operand(1), "expire", "delete", "drop");
                    case "prune", "prune-packed" -> true;
                    case "gc" -> words.hasAnyWith("--pru");
                    case "repack" -> words.hasFlag('d') && words.hasFlag('a');
                    case "lfs" -> words.operand(1).equals("prune");
                    case "annex" -> words.operand(1).startsWith("drop") && forced(words);
                    default -> false;
                };
        return when(lost, "deletes what git could restore");
    }

    private static Optional<String> when(boolean holds, String what) {
        return holds ? Optional.of(what) : Optional.empty();
    }

    private static boolean isOneOf(String word, String... words) {
        return List.of(words).contains(word);
    }

    /** Git takes an unambiguous beginning of an option for the option. */
    private static boolean forced(Subcommand words) {
        return words.hasFlag('f') || words.hasAnyWith("--forc");
    }

    /** {@code git -c clean.requireForce=false clean}. */
    private static boolean isUnforced(Subcommand words) {
        return words.words().stream()
                .anyMatch(word -> word.toLowerCase(Locale.ROOT).contains("clean.requireforce"));
    }

    private static boolean isDry(Subcommand words) {
        return words.hasFlag('n') || words.hasAnyWith("--dry");
    }

    private static boolean resets(Subcommand words) {
        return words.hasAnyWith("--h") || words.hasAnyWith("--mer");
    }

    private static boolean deletes(Subcommand words) {
        return words.hasFlag('d') || words.hasAnyWith("--de");
    }

    private static boolean changesFiles(Subcommand words) {
        boolean staged = words.hasAnyWith("--st") || words.hasFlag('S');
        return !staged || words.hasAnyWith("--w") || words.hasFlag('W');
    }

    private static boolean everything(Subcommand words) {
        return words.operands().stream().skip(1).anyMatch(GitDangers::isEverything)
                || words.hasAnyWith("--pathspec-from-f");
    }

    /** A pathspec that may mean all files: the root, all below here, or all but some. */
    private static boolean isEverything(String pathspec) {
        String plain = pathspec;
        while (plain.startsWith("./") || plain.endsWith("/") && plain.length() > 1) {
            plain =
                    plain.startsWith("./")
                            ? plain.substring(2)
                            : plain.substring(0, plain.length() - 1);
        }
        boolean magic = pathspec.startsWith(":(") && pathspec.indexOf(')') > 0;
        if (magic) {
            String words = pathspec.substring(0, pathspec.indexOf(')'));
            String rest = pathspec.substring(pathspec.indexOf(')') + 1);
            return words.contains("exclude") || rest.isEmpty() || isEverything(rest);
        }
        return isOneOf(plain, "", ".", "..", "*", "**", "**/*", ":", ":/", ":/.", ":/*", ":/**")
                || plain.startsWith("../")
                || plain.startsWith(":!")
                || plain.startsWith(":^")
                || plain.startsWith(":/!");
    }

    private static boolean replacesOwn(Subcommand words) {
        return words.operands().stream().skip(1).anyMatch(ref -> ref.contains(":") && forced(words))
                || words.words().stream().anyMatch(ref -> ref.matches("\\+[^:]*:.+"))
                        && !words.words().stream().allMatch(GitDangers::isTracking);
    }

    /** {@code +refs/heads/x:refs/remotes/origin/x} is what every fetch does. */
    private static boolean isTracking(String ref) {
        return !ref.startsWith("+") || ref.contains(":refs/remotes/");
    }

    private static boolean rewrites(Subcommand words) {
        return forced(words)
                || deletes(words)
                || words.hasAnyWith("--m")
                || words.hasAnyWith("--pru")
                || words.hasAnyWith("+")
                || words.operands().stream().anyMatch(ref -> ref.startsWith(":"));
    }
}
