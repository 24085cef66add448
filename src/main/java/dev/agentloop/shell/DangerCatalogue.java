package dev.agentloop.shell;

import dev.agentloop.shell.parse.Redirect;
import dev.agentloop.shell.parse.SimpleCommand;
import dev.agentloop.shell.parse.Word;
import dev.agentloop.shell.program.Braces;
import dev.agentloop.shell.program.Catalogue;
import dev.agentloop.shell.program.GitDangers;
import dev.agentloop.shell.program.ProgramKinds;
import dev.agentloop.shell.program.Rehearsal;
import dev.agentloop.shell.program.Subcommand;
import dev.agentloop.shell.read.FindExpression;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Commands that destroyed somebody's work before, whatever starts them. */
final class DangerCatalogue {
    private static final String REMOVES = "deletes folders with all they hold";
    private static final String REMOVES_GIVEN =
            "deletes folders whose names it is given when it runs";

    /** Programs that delete folders without being told to go into them. */
    private static final Set<String> REMOVERS =
            Set.of("rimraf", "del-cli", "premove", "rm-rf", "trash-rm", "gio-remove");

    private static final Pattern FD_STARTS = Pattern.compile("-[a-zA-Z]*[xX]|--exec(-batch)?");
    private static final Pattern BEFORE_PROGRAMS =
            Pattern.compile(
                    "(.*/)?(sudo|doas|env|nice|nohup|command|busybox|time)|-.*|\\w+=.*|[0-9]+");

    private final Places places;
    private final SimpleCommand command;
    private final String fed;
    private final List<Danger> dangers = new ArrayList<>();

    /**
     * @param fed what the line prints, and so may give to the command
     */
    DangerCatalogue(Places places, SimpleCommand command, String fed) {
        this.places = places;
        this.command = command;
        this.fed = fed;
    }

    List<Danger> dangers() {
        if (!command.words().isEmpty() && !Rehearsal.isOnly(command.name(), command.texts())) {
            program(command.name(), Subcommand.of(command.name(), command.texts()));
            String plain = ProgramKinds.plainName(command.program());
            Set<String> found = Catalogue.dangers(command.name(), command.texts(), read());
            found.addAll(Catalogue.dangers(plain, command.texts(), read()));
            found.forEach(what -> add(what, List.of()));
        }
        FileUse use = new FileUse(places, command);
        writtenDevices(use);
        Set<Path> overwritten = Overwrites.of(places, command, use);
        if (!overwritten.isEmpty()) {
            dangers.add(
                    new Danger(
                            "overwrites files outside the workspace",
                            List.copyOf(overwritten),
                            command.text()));
        }
        return dangers;
    }

    /** What is redirected or written to a disk, or to a switch of the kernel. */
    private void writtenDevices(FileUse use) {
        Set<String> devices = new LinkedHashSet<>();
        for (Redirect redirect : command.redirects()) {
            if (redirect.isWriting()) {
                devices.add(redirect.target().text());
            }
        }
        use.writes().forEach(path -> devices.add(path.toString()));
        if (Set.of("qemu-img", "tar", "bsdtar", "pv", "partclone", "openssl", "split", "xz")
                .contains(command.name())) {
            devices.addAll(command.texts());
        }
        devices.removeIf(device -> !isDevice(device));
        for (String device : devices) {
            String what =
                    device.startsWith("/dev/") ? "overwrites a disk" : "changes the running kernel";
            add(what, List.of(Word.literal(device)));
        }
    }

    private void program(String name, Subcommand words) {
        switch (name) {
            case "rm", "grm" -> remove(words);
            case "unlink", "gunlink" -> removeFiles();
            case "shx", "gio", "kioclient" -> {
                if (words.verb().equals("rm") && (words.hasFlag('r') || words.hasFlag('R'))) {
                    wide(REMOVES, operands().stream().skip(1).toList());
                }
            }
            case "find" -> find();
            case "fd", "fdfind" -> removeFound();
            case "xargs", "parallel" -> removeGiven();
            case "git" -> git();
            case "shred", "truncate" ->
                    add(name + " destroys what files hold", without(sizes(), operands()));
            case "chmod", "chown", "chgrp", "chattr", "setfacl" -> changeAccess(words);
            case "mv" -> move(words);
            case "kill" -> {
                if (command.texts().stream().skip(1).anyMatch(word -> word.equals("-1"))) {
                    add("ends every process", List.of());
                }
            }
            case "rsync", "robocopy" -> mirrored(words);
            default -> {
                if (REMOVERS.contains(name)) {
                    wide(REMOVES, operands());
                }
                if (name.startsWith("mkfs") || name.equals("mke2fs")) {
                    add("makes a new file system on a disk", operands());
                }
            }
        }
    }

    private void changeAccess(Subcommand words) {
        if (words.hasFlag('R') || words.hasAnyWith("--recursive")) {
            boolean like = words.hasAnyWith("--ref"); // then no word is a mode or an owner
            wide(
                    "changes who may use all files in a folder",
                    operands().stream().skip(like ? 0 : 1).toList());
        }
    }

    /** The place to which they are moved is no matter: {@code mv src/a.py .} moves a file. */
    private void move(Subcommand words) {
        List<Word> operands = operands();
        boolean namesFolder = words.hasFlag('t') || words.hasAnyWith("--t");
        Word last = operands.size() < 2 ? null : operands.getLast();
        List<Word> moved =
                last == null || namesFolder || last.kind() != Word.Kind.LITERAL
                        ? operands
                        : operands.subList(0, operands.size() - 1);
        if (moved.stream().anyMatch(this::isWide)) {
            add("moves a whole folder away", operands);
        }
    }

    /** Values of {@code -s}, which stand for no file. */
    private List<Word> sizes() {
        List<Word> words = command.arguments();
        return IntStream.range(1, words.size())
                .filter(i -> List.of("-s", "--size").contains(words.get(i - 1).text()))
                .mapToObj(words::get)
                .toList();
    }

    private static List<Word> without(List<Word> some, List<Word> all) {
        return all.stream().filter(word -> !some.contains(word)).toList();
    }

    private void git() {
        Set<String> found = new LinkedHashSet<>();
        for (Subcommand reading : Subcommand.readings("git", command.texts())) {
            GitDangers.what(reading).ifPresent(found::add);
        }
        found.forEach(what -> add(what, List.of()));
    }

    private void mirrored(Subcommand words) {
        if (words.hasAnyWith("--del")) {
            add("deletes what the source does not have", operands());
        }
    }

    /** {@code fd x -x rm -rf} starts a program for what it finds. */
    private void removeFound() {
        List<Word> words = command.arguments();
        for (int i = 0; i < words.size(); i++) {
            if (FD_STARTS.matcher(words.get(i).text()).matches()
                    && startsRemover(words.subList(i + 1, words.size()))) {
                add("deletes all files that it finds", List.of());
                return;
            }
        }
    }

    private void remove(Subcommand words) {
        boolean recursive = words.hasFlag('r') || words.hasFlag('R') || words.hasAnyWith("--r");
        if (!recursive) {
            removeFiles();
            return;
        }
        List<Word> operands = operands();
        if (operands.isEmpty()) {
            add(REMOVES_GIVEN, List.of());
        } else {
            wide(REMOVES, operands);
        }
    }

    /** Those outside; what a variable holds is not guessed. */
    private void removeFiles() {
        List<Word> foreign =
                operands().stream()
                        .filter(word -> !places.isUnknown(word))
                        .filter(word ->
                                places.named(command, word).stream().anyMatch(places::isOutside))
                        .toList();
        if (!foreign.isEmpty()) {
            add("deletes files outside the workspace", foreign);
        }
    }

    /** Without {@code -r} as well: {@code git ls-files | xargs rm} leaves no file. */
    private void removeGiven() {
        WrapperTable.Row row = WrapperTable.row(command.name());
        List<Word> words = command.arguments();
        int at = row == null ? -1 : row.options().firstOperand(words);
        boolean unknown = at < 0; // an option that is not known: any word may be the program
        if (unknown
                ? words.stream().anyMatch(word -> isRemover(word.text()))
                : startsRemover(words.subList(Math.min(at, words.size()), words.size()))) {
            add("deletes files whose names it is given when it runs", List.of());
        }
    }

    /** Whether the first word that is no program for running others deletes files. */
    private static boolean startsRemover(List<Word> words) {
        return words.stream()
                .map(Word::text)
                .dropWhile(text -> BEFORE_PROGRAMS.matcher(text).matches())
                .findFirst()
                .filter(DangerCatalogue::isRemover)
                .isPresent();
    }

    private void find() {
        List<Word> arguments = command.arguments();
        boolean removes =
                FindExpression.deletes(arguments)
                        || FindExpression.commands(arguments).stream()
                                .anyMatch(words ->
                                        !words.isEmpty() && isRemover(words.getFirst().text()));
        if (!removes) {
            return;
        }
        List<Word> starts = FindExpression.starts(arguments);
        if (FindExpression.filters(arguments)) {
            List<Word> foreign = starts.stream().filter(this::isForeign).toList();
            if (!foreign.isEmpty()) {
                add("deletes all files that it finds", foreign);
            }
        } else {
            wide("deletes all files that it finds", starts);
        }
    }

    static boolean isRemover(String program) {
        String name = ProgramKinds.plainName(program);
        return name.equals("rm")
                || name.equals("grm")
                || name.equals("unlink")
                || name.equals("shred")
                || REMOVERS.contains(name);
    }

    private boolean isForeign(Word word) {
        return places.isUnknown(word)
                || places.of(command, word).stream().anyMatch(places::isOutside);
    }

    private static boolean isDevice(String path) {
        return isDisk(path) || path.startsWith("/proc/sys") || path.startsWith("/sys/");
    }

    private static boolean isDisk(String path) {
        return path.startsWith("/dev/")
                && !path.matches("/dev/(null|std(in|out|err)|tty|fd/.*|shm/.*|full|zero)");
    }

    /** The text that the command reads, as far as the line tells it. */
    private String read() {
        StringBuilder read = new StringBuilder(fed);
        for (Redirect redirect : command.redirects()) {
            if (redirect.isText()) {
                read.append(' ').append(redirect.target().text());
            }
        }
        return read.toString();
    }

    private List<Word> operands() {
        List<Word> operands = new ArrayList<>();
        boolean all = false;
        for (Word word : command.arguments()) {
            if (!all && word.text().equals("--")) {
                all = true;
            } else if (all || !word.startsWith("-")) {
                operands.addAll(expanded(word));
            }
        }
        return operands;
    }

    /** What bash makes of braces; a word with other unknown parts stays as it is. */
    private static List<Word> expanded(Word word) {
        boolean unknown = word.text().chars().anyMatch(c -> "$`".indexOf(c) >= 0);
        if (word.kind() != Word.Kind.DYNAMIC || unknown || word.text().indexOf('{') < 0) {
            return List.of(word);
        }
        List<Word> words = new ArrayList<>();
        for (String text : Braces.expand(word.text())) {
            boolean wild = text.chars().anyMatch(c -> "*?[".indexOf(c) >= 0);
            words.add(new Word(text, wild ? Word.Kind.PATTERN : Word.Kind.LITERAL, text));
        }
        return words;
    }

    /**
     * A danger if it meets more than a folder of the workspace: all of it, or something outside.
     */
    private void wide(String what, List<Word> words) {
        if (words.stream().anyMatch(this::isWide)) {
            add(what, words);
        }
    }

    private boolean isWide(Word word) {
        if (places.isUnknown(word)) {
            return !command.name().equals("mv");
        }
        String text = places.known(word);
        boolean all =
                word.kind() != Word.Kind.LITERAL
                        && text.matches("(.*/)?(\\.?\\*|\\.\\[.*|\\?\\*)/*");
        String folder = all ? text.substring(0, text.lastIndexOf('/') + 1) + "." : text;
        for (Path path : places.of(command, folder)) {
            List<Path> roots = places.roots().all();
            boolean root =
                    roots.stream().anyMatch(one -> one.startsWith(path))
                            || places.home().startsWith(path);
            boolean git = roots.stream().anyMatch(one -> path.startsWith(one.resolve(".git")));
            boolean foreign = !command.name().equals("mv") && places.isOutside(path);
            if (root || git || foreign) {
                return true;
            }
        }
        return false;
    }

    private void add(String what, List<Word> words) {
        Set<Path> targets = new LinkedHashSet<>();
        for (Word word : words) {
            if (!places.isUnknown(word)) {
                targets.addAll(places.of(command, word));
            }
        }
        dangers.add(new Danger(what, new ArrayList<>(targets), command.text()));
    }

    /** {@code f(){ f|f& };f}, under whatever name. */
    static boolean isForkBomb(String line) {
        String dense = line.replace(" ", "").replace("\n", "").replace("\t", "");
        for (int at = dense.indexOf("(){"); at > 0; at = dense.indexOf("(){", at + 1)) {
            int start = at;
            while (start > 0 && ";&|(){}".indexOf(dense.charAt(start - 1)) < 0) {
                start--;
            }
            String name = dense.substring(start, at);
            if (!name.isEmpty() && dense.startsWith(name + "|" + name, at + 3)) {
                return true;
            }
        }
        return false;
    }
}
