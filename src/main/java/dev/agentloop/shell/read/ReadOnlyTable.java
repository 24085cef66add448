package dev.agentloop.shell.read;

import dev.agentloop.shell.parse.Word;
import dev.agentloop.shell.read.OptionTable.Operands;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Programs that only read, with the options for which that holds. What is missing is missing on
 * purpose: {@code sort -o} and {@code tree -o} write, {@code sort --compress-program}, {@code rg
 * --pre} and {@code diff -l} start programs, {@code tree -R} writes files, {@code file -C} too,
 * {@code tree -l} and {@code find -follow} follow links, {@code env} and {@code ps} print secrets,
 * {@code tail -f} does not end.
 */
public final class ReadOnlyTable {
    /** What a program takes its operands for. */
    enum Use {
        /** Any number of files. */
        FILES,
        /** At most one file: the second would be written. */
        ONE_FILE,
        /** An expression, then files. */
        EXPRESSION,
        /** Words that are neither files nor programs. */
        TEXT,
        /** The program takes no operands. */
        NOTHING
    }

    /**
     * @param anyOption whether not one option of the program does harm, known or not
     */
    public record Row(Use use, OptionTable options, boolean anyOption) {
        Optional<Operands> read(List<Word> arguments) {
            return anyOption ? options.readAny(arguments) : options.read(arguments);
        }
    }

    /** A file named like one of their options cannot make them write or start anything. */
    private static final Set<String> ANY_OPTION =
            Set.of("ls", "cat", "head", "wc", "nl", "od", "grep", "cut", "stat", "du", "comm");

    private static final String HEAD =
            " -nc: -qvz# --lines: --bytes: --quiet --silent --verbose --zero-terminated";
    private static final String SUM = "FILES -btz --binary --text --tag --zero";

    private static final Map<String, Row> ROWS = new HashMap<>();

    private ReadOnlyTable() {}

    public static synchronized @Nullable Row row(String program) {
        Row known = ROWS.get(program);
        if (known != null) {
            return known;
        }
        String line = line(program);
        if (line.isEmpty()) {
            return null;
        }
        int blank = line.indexOf(' ');
        Use use = Use.valueOf(line.substring(0, blank));
        Row row =
                new Row(
                        use,
                        OptionTable.of(line.substring(blank + 1)),
                        ANY_OPTION.contains(program));
        ROWS.put(program, row);
        return row;
    }

    private static String line(String program) {
        return switch (program) {
            case "ls" ->
                    "FILES -aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxX1 -wIT: --all --almost-all --author"
                            + " --color? --classify? --directory --dereference --file-type"
                            + " --full-time --group-directories-first --human-readable --si --inode"
                            + " --size --reverse --recursive --sort: --time: --time-style: --width:"
                            + " --ignore: --no-group --numeric-uid-gid --literal --version --help";
            case "cat" ->
                    "FILES -AbeEnstTuv --show-all --number --number-nonblank --squeeze-blank"
                            + " --show-ends --show-tabs --show-nonprinting";
            case "head", "tail" -> "FILES" + HEAD;
            case "wc" -> "FILES -clmwL --bytes --chars --lines --words --max-line-length";
            case "nl" -> "FILES -bdfhilnsvw: -p";
            case "od" -> "FILES -AjNtS: -abcdfilosxv";
            case "md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum" -> SUM;
            case "grep" -> grep();
            case "rg" -> ripgrep();
            default -> more(program);
        };
    }

    private static String grep() {
        return "EXPRESSION -EFGPabchHilLnoqrRsTUvwxyz# -ABCmDd: -e! --regexp! --extended-regexp"
                + " --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case"
                + " --invert-match --word-regexp --line-regexp --count --color? --colour?"
                + " --files-with-matches --files-without-match --max-count: --only-matching"
                + " --quiet --silent --no-messages --byte-offset --with-filename --no-filename"
                + " --line-number --null --after-context: --before-context: --context: --text"
                + " --include: --exclude: --exclude-dir: --recursive --dereference-recursive"
                + " --binary-files: --null-data";
    }

    private static String ripgrep() {
        return "EXPRESSION -inlcvwFSsoHINUPpqLux0 -tTgABCmMjrd: -e! --regexp! --hidden"
                + " --no-ignore --no-ignore-vcs --count --count-matches --stats --sort: --sortr:"
                + " --heading --no-heading --color: --line-number --no-line-number --column"
                + " --vimgrep --trim --multiline --multiline-dotall --smart-case --ignore-case"
                + " --case-sensitive --fixed-strings --files-with-matches --files-without-match"
                + " --glob: --iglob: --type: --type-not: --max-count: --max-columns: --context:"
                + " --after-context: --before-context: --word-regexp --line-regexp"
                + " --only-matching --no-filename --with-filename --no-messages --no-config"
                + " --invert-match --max-depth: --threads: --null --json --follow --quiet --pcre2"
                + " --files? --type-list";
    }

    private static String more(String program) {
        return switch (program) {
            case "sort" ->
                    "FILES -bdfgihnrMRVcCmsuz -kt: --key: --field-separator: --reverse --unique"
                            + " --numeric-sort --general-numeric-sort --human-numeric-sort"
                            + " --version-sort --month-sort --random-sort --ignore-case --stable"
                            + " --check? --merge --dictionary-order --zero-terminated";
            case "uniq" ->
                    "ONE_FILE -cdDiuz -fsw: --count --repeated --ignore-case --unique"
                            + " --skip-fields: --skip-chars: --check-chars: --all-repeated?";
            case "cut" ->
                    "FILES -bcdf: -nsz --complement --output-delimiter: --only-delimited"
                            + " --delimiter: --fields: --bytes: --characters: --zero-terminated";
            case "tr" -> "TEXT -cCdst --complement --delete --squeeze-repeats --truncate-set1";
            case "diff" ->
                    "FILES -abBcdeEiInNpqrstTuwyZ -UCLxW: --label: --exclude: --brief --unified?"
                            + " --context? --recursive --side-by-side --width: --color?"
                            + " --strip-trailing-cr --new-file --ignore-all-space --text"
                            + " --ignore-space-change --ignore-blank-lines --minimal"
                            + " --suppress-common-lines --no-dereference --report-identical-files";
            case "cmp" -> "FILES -bls -ni: --silent --quiet --print-bytes --verbose";
            case "comm" -> "FILES -123z --check-order --nocheck-order --total --output-delimiter:";
            case "file" ->
                    "FILES -bihkLNnr0E --brief --mime --mime-type --mime-encoding --dereference"
                            + " --no-dereference --extension --no-buffer --raw";
            case "stat" -> "FILES -Lft -c: --format: --printf: --dereference --file-system --terse";
            case "du" ->
                    "FILES -0abchHklLmsSxPD -dtB: --max-depth: --exclude: --summarize --threshold:"
                            + " --human-readable --all --total --apparent-size --bytes --si"
                            + " --one-file-system --block-size:";
            case "df" ->
                    "FILES -aBhHiklPT -tx: --human-readable --all --inodes --local --portability"
                            + " --print-type --total --output? --type: --si";
            case "tree" ->
                    "FILES -adfxipsughDFqNQrtcUnC -LPI: --dirsfirst --noreport --gitignore"
                            + " --prune --du --filelimit: --charset: --sort: --matchdirs";
            default -> words(program);
        };
    }

    private static String words(String program) {
        return switch (program) {
            case "pwd" -> "NOTHING -LP";
            case "true", "false", ":", "whoami", "hostname" -> "NOTHING --";
            case "exit" -> "TEXT --";
            case "cd" -> "TEXT -LP";
            case "which" -> "TEXT -a";
            case "type" -> "TEXT -atpPf";
            case "basename" -> "TEXT -az -s: --multiple --suffix: --zero";
            case "dirname" -> "TEXT -z --zero";
            case "realpath" ->
                    "TEXT -eLmPqsz --canonicalize-existing --canonicalize-missing --logical"
                            + " --physical --quiet --relative-to: --relative-base: --no-symlinks";
            case "readlink" ->
                    "TEXT -femnqsvz --canonicalize --canonicalize-existing --canonicalize-missing"
                            + " --no-newline --quiet --silent --verbose --zero";
            case "id" -> "TEXT -agGnruzZ --group --groups --name --real --user --zero";
            case "uname" ->
                    "NOTHING -asnrvmpio --all --kernel-name --nodename --kernel-release"
                            + " --kernel-version --machine --processor --operating-system";
            case "seq" -> "TEXT -fs: -w --equal-width --separator: --format:";
            case "sleep" -> "TEXT --";
            default -> "";
        };
    }
}
