package dev.agentloop.shell;

import java.util.Optional;
import java.util.Set;

/** Git commands after which work is gone. */
final class GitDangers {
    private static final Set<String> EVERYTHING = Set.of(".", "./", ":/", "*", ":/*");

    private GitDangers() {}

    static Optional<String> what(Subcommand words) {
        return switch (words.verb()) {
            case "clean" ->
                    when(forced(words) && !isDry(words), "deletes files that git does not keep");
            case "reset" -> when(resets(words), "throws away changes not committed");
            case "read-tree" ->
                    when(words.hasAnyWith("--res"), "throws away changes not committed");
            case "checkout-index" -> when(forced(words), "throws away changes not committed");
            case "checkout" ->
                    when(
                            forced(words) || everything(words) || words.hasFlag('B'),
                            "throws away changes or commits");
            case "restore" ->
                    when(
                            everything(words)
                                    && (!words.has("--staged") || words.has("--worktree")),
                            "throws away changes not committed");
            case "switch" ->
                    when(
                            forced(words) || words.hasAnyWith("--di") || words.hasFlag('C'),
                            "throws away changes or commits");
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
                            words.hasFlag('D') || forced(words) && deletes(words),
                            "deletes a branch with what only it holds");
            case "stash" ->
                    when(
                            words.operand(1).equals("drop") || words.operand(1).equals("clear"),
                            "deletes stashed changes");
            case "worktree" ->
                    when(words.operand(1).equals("remove") && forced(words), "deletes a worktree");
            case "update-ref" -> when(words.hasFlag('d'), "deletes a reference");
            case "filter-branch", "filter-repo" -> Optional.of("rewrites the history");
            case "reflog" ->
                    when(words.operand(1).equals("expire"), "deletes what git could restore");
            case "gc", "prune" ->
                    when(
                            words.verb().equals("prune") || words.hasAnyWith("--prune="),
                            "deletes what git could restore");
            default -> Optional.empty();
        };
    }

    private static Optional<String> when(boolean holds, String what) {
        return holds ? Optional.of(what) : Optional.empty();
    }

    /** Git takes an unambiguous beginning of an option for the option. */
    private static boolean forced(Subcommand words) {
        return words.hasFlag('f') || words.hasAnyWith("--forc");
    }

    private static boolean isDry(Subcommand words) {
        return words.hasFlag('n') || words.has("--dry-run");
    }

    private static boolean resets(Subcommand words) {
        return words.hasAnyWith("--h") || words.hasAnyWith("--mer");
    }

    private static boolean deletes(Subcommand words) {
        return words.hasFlag('d') || words.hasAnyWith("--del");
    }

    private static boolean everything(Subcommand words) {
        return words.operands().stream().skip(1).anyMatch(EVERYTHING::contains);
    }

    private static boolean rewrites(Subcommand words) {
        return forced(words)
                || deletes(words)
                || words.hasAnyWith("--mirror")
                || words.hasAnyWith("--prune")
                || words.hasAnyWith("+")
                || words.operands().stream().anyMatch(ref -> ref.startsWith(":"));
    }
}
