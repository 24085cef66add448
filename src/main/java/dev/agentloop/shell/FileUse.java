package dev.agentloop.shell;

import dev.agentloop.shell.parse.Redirect;
import dev.agentloop.shell.parse.SimpleCommand;
import dev.agentloop.shell.parse.Word;
import dev.agentloop.shell.program.Subcommand;
import dev.agentloop.shell.read.FindExpression;
import dev.agentloop.shell.read.OptionTable.Operands;
import dev.agentloop.shell.read.ReadOnlyTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Which files a command reads and writes, as far as its words say it. Rather too many than too few.
 */
final class FileUse {
    private static final Set<String> EXPRESSION_FIRST =
            Set.of("grep", "egrep", "fgrep", "rg", "sed", "awk", "gawk", "mawk", "jq", "yq", "ack");

    private static final Set<String> READERS =
            Set.of(
                    "cat",
                    "head",
                    "tail",
                    "less",
                    "more",
                    "most",
                    "bat",
                    "nl",
                    "od",
                    "xxd",
                    "hexdump",
                    "strings",
                    "base64",
                    "base32",
                    "sort",
                    "uniq",
                    "cut",
                    "wc",
                    "diff",
                    "cmp",
                    "comm",
                    "tac",
                    "rev",
                    "paste",
                    "join",
                    "fold",
                    "fmt",
                    "pr",
                    "column",
                    "expand",
                    "iconv",
                    "split",
                    "csplit",
                    "source",
                    ".",
                    "tar",
                    "zip",
                    "gzip",
                    "bzip2",
                    "xz",
                    "zstd",
                    "7z",
                    "scp",
                    "rsync",
                    "openssl",
                    "gpg",
                    "vim",
                    "vi",
                    "nano",
                    "emacs",
                    "view",
                    "python",
                    "python3",
                    "node",
                    "perl",
                    "ruby",
                    "curl",
                    "wget",
                    "cp",
                    "mv",
                    "install",
                    "ln",
                    "file",
                    "stat",
                    "md5sum",
                    "sha1sum",
                    "sha224sum",
                    "sha256sum",
                    "sha384sum",
                    "sha512sum",
                    "tree",
                    "du",
                    "zcat",
                    "bzcat",
                    "xzcat",
                    "zgrep",
                    "look",
                    "cksum",
                    "sum",
                    "sdiff",
                    "pandoc",
                    "envsubst",
                    "dotenv",
                    "sh",
                    "bash",
                    "dash",
                    "zsh",
                    "ksh",
                    "docker",
                    "xmllint",
                    "sqlite3");

    private static final Set<String> WRITERS =
            Set.of(
                    "tee",
                    "rm",
                    "rmdir",
                    "unlink",
                    "shred",
                    "truncate",
                    "touch",
                    "mkdir",
                    "mkfifo",
                    "mknod",
                    "chmod",
                    "chown",
                    "chgrp",
                    "chattr",
                    "setfacl",
                    "patch",
                    "ed",
                    "ex",
                    "vi",
                    "vim",
                    "nano",
                    "emacs",
                    "gzip",
                    "gunzip",
                    "bzip2",
                    "bunzip2",
                    "xz",
                    "unxz",
                    "zstd",
                    "split",
                    "sponge",
                    "mv");

    /** The last operand is what they write. */
    private static final Set<String> COPIERS =
            Set.of("cp", "mv", "install", "ln", "rsync", "scp", "uniq", "xxd");

    private final Places places;
    private final SimpleCommand command;
    private final Set<Path> reads = new LinkedHashSet<>();
    private final Set<Path> writes = new LinkedHashSet<>();
    private final Set<Path> ofWords;

    FileUse(Places places, SimpleCommand command) {
        this.places = places;
        this.command = command;
        if (!command.words().isEmpty()) {
            words();
        }
        ofWords = Set.copyOf(writes);
        for (Redirect redirect : command.redirects()) {
            if (redirect.isWriting()) {
                writes.addAll(places.of(command, redirect.target()));
            }
            if (redirect.isReading()) {
                reads.addAll(places.of(command, redirect.target()));
            }
        }
    }

    Set<Path> reads() {
        return reads;
    }

    /** What is looked into if it is a folder. */
    Set<Path> searched() {
        return Set.of("grep", "egrep", "fgrep", "rg", "diff", "zgrep").contains(command.name())
                ? reads
                : Set.of();
    }

    Set<Path> writes() {
        return writes;
    }

    /** The same without what redirections write. */
    Set<Path> writesOfWords() {
        return ofWords;
    }

    private void words() {
        String name = command.name();
        List<Word> files = operands();
        if (EXPRESSION_FIRST.contains(name)) {
            add(reads, hasExpressionOption() ? files : files.stream().skip(1).toList());
            if (isRecursiveSearch(name)) {
                add(reads, List.of(Word.literal(".")));
            }
        }
        if (READERS.contains(name)) {
            add(reads, read(name, files));
            command.texts().forEach(this::embedded);
        }
        if (WRITERS.contains(name)) {
            add(writes, files);
        }
        if (COPIERS.contains(name)) {
            copied(files);
        }
        special(name, files);
    }

    /** Without the file that a copy or a new key becomes, which the program only writes. */
    private List<Word> read(String name, List<Word> files) {
        return switch (name) {
            case "cp", "install" -> {
                Word last = files.size() < 2 ? null : files.getLast();
                boolean names = last != null && last.kind() == Word.Kind.LITERAL;
                yield names && !namesTargetFolder() ? files.subList(0, files.size() - 1) : files;
            }
            case "openssl" -> {
                List<Word> all = command.arguments();
                yield IntStream.range(1, all.size()) // the first is its verb
                        .filter(i -> !all.get(i).startsWith("-"))
                        .filter(i -> !all.get(i - 1).text().matches("-(key)?out"))
                        .mapToObj(all::get)
                        .toList();
            }
            default -> files;
        };
    }

    private boolean namesTargetFolder() {
        Subcommand words = Subcommand.of(command.name(), command.texts());
        return words.hasFlag('t') || words.hasAnyWith("--t");
    }

    private void special(String name, List<Word> files) {
        Subcommand words = Subcommand.of(command.name(), command.texts());
        switch (name) {
            case "sed", "perl", "ruby" -> {
                if (words.hasFlag('i') || words.hasAnyWith("--in-place")) {
                    add(writes, files);
                }
            }
            case "dd" -> {
                addAfter("of=", writes);
                addAfter("if=", reads);
            }
            case "git" -> {
                add(reads, files.stream().skip(1).toList());
                command.texts().forEach(this::embedded);
                if (Set.of("rm", "mv", "checkout", "restore", "apply").contains(words.verb())) {
                    add(writes, files.stream().skip(1).toList());
                }
            }
            case "find" -> found();
            case "sort" -> optionFiles('o', "--output");
            case "curl" -> optionFiles('o', "--output");
            case "wget" -> optionFiles('O', "--output-document");
            case "tar" -> optionFiles('C', "--directory");
            case "unzip" -> optionFiles('d', "-d");
            default -> {}
        }
    }

    private void found() {
        List<Word> words = command.arguments();
        if (FindExpression.deletes(words)) {
            add(writes, FindExpression.starts(words));
        }
        for (int i = 1; i < words.size(); i++) {
            String before = words.get(i - 1).text();
            if (before.startsWith("-fprint") || before.equals("-fls")) {
                add(writes, List.of(words.get(i)));
            }
        }
    }

    /** All words but options; of those the values that are behind an equals sign. */
    private List<Word> operands() {
        List<Word> operands = new ArrayList<>();
        boolean onlyFiles = false;
        for (Word word : command.arguments()) {
            if (!onlyFiles && word.text().equals("--")) {
                onlyFiles = true;
            } else if (onlyFiles || !word.startsWith("-")) {
                operands.add(word);
            }
        }
        return operands;
    }

    private boolean hasExpressionOption() {
        Subcommand words = Subcommand.of(command.name(), command.texts());
        return words.hasFlag('e')
                || words.hasFlag('f')
                || words.hasAnyWith("--regexp")
                || words.hasAnyWith("--file");
    }

    private boolean isRecursiveSearch(String name) {
        Subcommand words = Subcommand.of(command.name(), command.texts());
        boolean recursive =
                name.equals("rg")
                        || words.hasFlag('r')
                        || words.hasFlag('R')
                        || words.hasFlag('d')
                        || words.hasAnyWith("--dereference-r")
                        || words.hasAnyWith("--recursive");
        return recursive && !namesFolders(name);
    }

    /** Without a file it searches this folder; in doubt a word is the value of an option. */
    private boolean namesFolders(String name) {
        ReadOnlyTable.Row row = ReadOnlyTable.row(name);
        Optional<Operands> read =
                row == null ? Optional.empty() : row.options().read(command.arguments());
        return read.isPresent()
                && read.get().words().size() >= (read.get().expressionGiven() ? 1 : 2);
    }

    /** Files inside other words: {@code --file=x}, {@code -d @x}, {@code HEAD:x}, {@code if=x}. */
    private void embedded(String text) {
        for (char mark : new char[] {'=', '@', ':'}) {
            int at = text.indexOf(mark);
            if (at >= 0 && at < text.length() - 1 && !text.startsWith("//", at + 1)) {
                reads.addAll(places.of(command, text.substring(at + 1)));
                int last = text.lastIndexOf(mark); // git's :0:FILE
                reads.addAll(places.of(command, text.substring(last + 1)));
            }
        }
    }

    private void copied(List<Word> files) {
        optionFiles('t', "--target-directory");
        if (files.size() < 2) {
            return;
        }
        Word last = files.getLast();
        add(writes, List.of(last));
        for (Path target : places.of(command, last)) {
            for (Word source : files.subList(0, files.size() - 1)) {
                if (Files.isDirectory(target)) {
                    String text = places.known(source);
                    String name = text.substring(text.lastIndexOf('/', text.length() - 2) + 1);
                    writes.addAll(places.of(command, target.resolve(name).toString()));
                }
            }
        }
    }

    private void optionFiles(char letter, String longName) {
        List<Word> words = command.arguments();
        for (int i = 0; i < words.size(); i++) {
            String text = words.get(i).text();
            if (text.startsWith(longName + "=")) {
                add(writes, List.of(Word.literal(text.substring(longName.length() + 1))));
            } else if (text.equals(longName) || Subcommand.isFlag(text, letter)) {
                int at = text.indexOf(letter) + 1;
                if (!text.equals(longName) && at < text.length()) {
                    add(writes, List.of(Word.literal(text.substring(at))));
                } else if (i + 1 < words.size()) {
                    add(writes, List.of(words.get(i + 1)));
                }
            }
        }
    }

    private void addAfter(String prefix, Set<Path> paths) {
        for (String text : command.texts()) {
            if (text.startsWith(prefix)) {
                paths.addAll(places.of(command, text.substring(prefix.length())));
            }
        }
    }

    private void add(Set<Path> paths, List<Word> words) {
        for (Word word : words) {
            if (word.kind() == Word.Kind.PATTERN) {
                paths.addAll(PatternFiles.of(places, command, word));
            } else {
                paths.addAll(places.of(command, word));
            }
        }
    }
}
