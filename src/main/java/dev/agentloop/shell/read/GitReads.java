package dev.agentloop.shell.read;

import dev.agentloop.shell.parse.SimpleCommand;
import dev.agentloop.shell.parse.Word;
import dev.agentloop.shell.read.OptionTable.Operands;
import java.util.List;
import java.util.Optional;

/**
 * Git's reading commands. They only read if the repository is trusted: its own configuration may
 * name programs that {@code git status} or {@code git diff} start (core.fsmonitor, diff.external,
 * filters), and no option turns all of them off.
 */
public final class GitReads {
    private static final String LOG =
            "-pzsu# -nSGL: --oneline --stat? --shortstat --numstat --name-only --name-status --graph"
                    + " --all --decorate? --no-decorate --format: --pretty? --since: --until:"
                    + " --after: --before: --author: --committer: --grep: --follow --patch"
                    + " --abbrev-commit --date: --reverse --merges --no-merges --first-parent"
                    + " --max-count: --no-color --color? --no-patch --unified: --cached --staged"
                    + " --word-diff? --ignore-all-space --ignore-space-change -w --summary --raw"
                    + " --branches? --tags? --remotes? --left-right --no-ext-diff --no-textconv"
                    + " --exit-code --quiet --diff-filter: --find-renames? -M --check";

    private GitReads() {}

    public static boolean isReading(SimpleCommand command) {
        if (!command.program().equals("git")) {
            return false;
        }
        List<Word> arguments = command.arguments();
        int at = 0;
        while (at < arguments.size() && isGlobal(arguments.get(at).text())) {
            at++;
        }
        if (at >= arguments.size()) {
            return false;
        }
        String verb = arguments.get(at).text();
        String table = table(verb);
        if (table.isEmpty()) {
            return false;
        }
        Optional<Operands> operands =
                OptionTable.of(table).read(arguments.subList(at + 1, arguments.size()));
        return operands.isPresent() && mayHave(verb, operands.get().words(), arguments);
    }

    private static boolean isGlobal(String word) {
        return word.equals("--no-pager") || word.equals("--no-optional-locks");
    }

    private static String table(String verb) {
        return switch (verb) {
            case "status" ->
                    "-sbuvz --short --branch --porcelain? --untracked-files? --ignored?"
                            + " --show-stash --long --no-renames";
            case "log", "diff", "show" -> LOG;
            case "shortlog" -> "-sne# --summary --numbered --email --all --since: --until:";
            case "branch" -> "-arv --all --remotes --list --show-current --verbose --no-color";
            case "tag" -> "-l --list -n --sort:";
            case "remote" -> "-v --verbose";
            case "rev-parse" ->
                    "--short? --abbrev-ref --show-toplevel --verify -q --quiet --git-dir"
                            + " --show-prefix --show-cdup --is-inside-work-tree --symbolic";
            case "ls-files" ->
                    "-cdmosuzt --cached --deleted --modified --others --stage --exclude-standard"
                            + " --error-unmatch --full-name --ignored --unmerged";
            case "ls-tree" -> "-rdtlz --name-only --name-status --full-tree --long";
            case "blame" -> "-sewlnftpcM -L: --show-email --porcelain --line-porcelain --date:";
            case "describe" ->
                    "--tags --all --long --always --dirty? --abbrev: --match: --exact-match";
            case "cat-file" -> "-tpse";
            case "rev-list" ->
                    "-n: --count --all --max-count: --first-parent --no-merges --reverse";
            case "merge-base" -> "--is-ancestor --all --octopus";
            default -> "";
        };
    }

    private static boolean mayHave(String verb, List<Word> operands, List<Word> arguments) {
        List<String> words = arguments.stream().map(Word::text).toList();
        return switch (verb) {
            case "branch" -> operands.isEmpty() || words.contains("--list");
            case "tag" -> operands.isEmpty() || words.contains("--list") || words.contains("-l");
            case "remote" -> operands.isEmpty();
            default -> true;
        };
    }
}
