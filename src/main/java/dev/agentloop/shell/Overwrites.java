package dev.agentloop.shell;

import dev.agentloop.shell.parse.Redirect;
import dev.agentloop.shell.parse.SimpleCommand;
import dev.agentloop.shell.parse.Word;
import dev.agentloop.shell.program.Subcommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Files outside the workspace whose text a command cuts, replaces or changes, as far as its words
 * say it. A file that is not there yet is none, nor one right in a folder for temporary files.
 */
final class Overwrites {
    /** Of these all that {@link FileUse} says they write is replaced. */
    private static final Set<String> REPLACING =
            Set.of(
                    ("tee sponge shred truncate dd sort curl wget cp mv install ln rsync scp uniq"
                                    + " xxd sed perl ruby patch find gzip bzip2 xz")
                            .split(" "));

    private static final Set<String> COPIERS = Set.of("cp", "mv", "install", "ln");

    /** Their {@code -o} is no file that they write. */
    private static final Set<String> OTHER_O =
            Set.of(
                    ("grep egrep fgrep zgrep rg ag ack ls ps find ssh scp sftp sshfs mount lsblk "
                                    + "set jq tar test [ su pgrep md5sum od xxd id column")
                            .split(" "));

    /** An option with a file that a program writes, whatever program it is. */
    private static final Pattern OUTPUT = Pattern.compile("-{1,2}out(put|file)?(-?file)?");

    private static final Pattern TAR_FILE = Pattern.compile("(?:-[a-zA-Z&&[^f]]*f|--file=?)(.*)");

    private static final Set<Path> TEMPORARY =
            Set.of(Path.of("/tmp"), Path.of("/var/tmp"), Path.of("/dev/shm"));

    private final Places places;
    private final SimpleCommand command;
    private final Set<Path> paths = new LinkedHashSet<>();

    private Overwrites(Places places, SimpleCommand command) {
        this.places = places;
        this.command = command;
    }

    static Set<Path> of(Places places, SimpleCommand command, FileUse use) {
        Overwrites overwrites = new Overwrites(places, command);
        overwrites.redirected();
        if (REPLACING.contains(command.name()) && !overwrites.spares()) {
            overwrites.replaced(use.writesOfWords());
        }
        overwrites.outputs();
        overwrites.archived();
        overwrites.paths.removeIf(path -> !overwrites.isPrecious(path));
        if (overwrites.isUnpacking()) {
            use.writesOfWords().stream()
                    .filter(overwrites::isFolderOutside)
                    .forEach(overwrites.paths::add);
        }
        return overwrites.paths;
    }

    private void redirected() {
        for (Redirect redirect : command.redirects()) {
            if (redirect.isWriting() && !redirect.operator().endsWith(">>")) {
                paths.addAll(places.of(command, redirect.target()));
            }
        }
    }

    private void replaced(Set<Path> written) {
        paths.addAll(written);
        if (!COPIERS.contains(command.name())) {
            return;
        }
        List<Word> operands =
                command.arguments().stream().filter(word -> !word.startsWith("-")).toList();
        for (Path folder : targets()) {
            for (Word word : operands) {
                places.look();
                paths.add(folder.resolve(name(word)));
            }
        }
        if (command.name().equals("mv") && !operands.isEmpty()) {
            operands.subList(0, operands.size() - 1)
                    .forEach(word -> paths.removeAll(places.of(command, word))); // it is kept
        }
    }

    /** The folders of {@code cp -t FOLDER}. */
    private Set<Path> targets() {
        Set<Path> folders = new LinkedHashSet<>();
        List<Word> words = command.arguments();
        for (int i = 0; i < words.size(); i++) {
            String text = words.get(i).text();
            if (text.startsWith("--t") && text.indexOf('=') > 0) {
                folders.addAll(places.of(command, text.substring(text.indexOf('=') + 1)));
            } else if (text.startsWith("--t") || Subcommand.isFlag(text, 't')) {
                boolean glued = !text.startsWith("--") && !text.endsWith("t");
                if (glued) {
                    folders.addAll(places.of(command, text.substring(text.indexOf('t') + 1)));
                } else if (i + 1 < words.size()) {
                    folders.addAll(places.of(command, words.get(i + 1)));
                }
            }
        }
        folders.removeIf(folder -> !places.isOutside(folder) || !Files.isDirectory(folder));
        return folders;
    }

    private String name(Word word) {
        Path name =
                places.of(command, word).stream().findFirst().map(Path::getFileName).orElse(null);
        return name == null ? "." : name.toString();
    }

    /** {@code gcc a.c -o FILE}, {@code pandoc --output=FILE}, {@code openssl rand -out FILE}. */
    private void outputs() {
        boolean letter = !OTHER_O.contains(command.name());
        List<Word> words = command.arguments();
        for (int i = 0; i < words.size(); i++) {
            String text = words.get(i).text();
            int equals = text.indexOf('=');
            if (equals > 0 && OUTPUT.matcher(text.substring(0, equals)).matches()) {
                paths.addAll(places.of(command, text.substring(equals + 1)));
            } else if (i + 1 < words.size()
                    && (letter && text.equals("-o") || OUTPUT.matcher(text).matches())) {
                paths.addAll(places.of(command, words.get(i + 1)));
            }
        }
    }

    /** The file that an archiver makes or changes. */
    private void archived() {
        List<String> words = command.texts();
        List<String> operands = words.stream().filter(word -> !word.startsWith("-")).toList();
        String order = words.isEmpty() ? "" : words.getFirst();
        boolean adds = order.matches("-?[adrqmsu][A-Za-z]*");
        Stream<String> archives =
                switch (command.name()) {
                    case "zip" -> operands.stream().limit(1);
                    case "ar", "7z", "7za", "7zz", "rar" ->
                            operands.stream()
                                    .skip(order.startsWith("-") ? 0 : 1)
                                    .limit(adds ? 1 : 0);
                    case "git" ->
                            operands.stream().skip(2).limit(operands.contains("create") ? 1 : 0);
                    case "tar", "bsdtar", "jar" ->
                            isMaking(order, words) ? tarFiles(words) : Stream.empty();
                    default -> Stream.empty();
                };
        archives.forEach(archive -> paths.addAll(places.of(command, archive)));
    }

    private static boolean isMaking(String order, List<String> words) {
        return order.matches("[a-zA-Z]*[cru][a-zA-Z]*")
                || words.stream()
                        .anyMatch(word ->
                                word.matches("(-[a-zA-Z&&[^f]]*[cru].*|--(create|append|update))"));
    }

    /** Values of {@code f}, which may stand among other letters. */
    private static Stream<String> tarFiles(List<String> words) {
        List<String> files = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            Matcher matcher = TAR_FILE.matcher(word);
            boolean bundle = i == 0 && word.matches("[a-zA-Z]*f[a-zA-Z]*");
            String glued = matcher.matches() ? matcher.group(1) : "";
            boolean next = bundle || matcher.matches() && glued.isEmpty();
            files.add(next && i + 1 < words.size() ? words.get(i + 1) : glued);
        }
        return files.stream().filter(file -> !file.isEmpty());
    }

    /** Whether it adds to files, or leaves those that are there. */
    private boolean spares() {
        Subcommand words = Subcommand.of(command.name(), command.texts());
        return switch (command.name()) {
            case "tee" -> words.hasFlag('a') || words.hasAnyWith("--a");
            case "gzip", "bzip2", "xz" ->
                    command.texts().stream()
                            .anyMatch(word ->
                                    word.matches("-[a-z0-9]*[kclt].*|--(k|st|to-st|l|te).*"));
            case "ln" -> !words.hasFlag('f') && !words.hasAnyWith("--f");
            case "cp", "mv" ->
                    words.hasFlag('n') && !words.hasFlag('f') || words.hasAnyWith("--no-cl");
            default -> false;
        };
    }

    private boolean isPrecious(Path path) {
        if (!places.isOutside(path)) {
            return false;
        }
        places.look();
        Path folder = path.getParent();
        return Files.isRegularFile(path) && (folder == null || !isTemporary(folder));
    }

    /** Whether it brings files whose names do not stand here, and replaces those that are there. */
    private boolean isUnpacking() {
        List<String> words = command.texts();
        return switch (command.name()) {
            case "unzip" -> true;
            case "tar", "bsdtar" ->
                    !words.isEmpty() && words.getFirst().matches("[a-zA-Z]*x[a-zA-Z]*")
                            || words.stream()
                                    .anyMatch(word ->
                                            word.matches(
                                                    "(?s)-[a-zA-Z&&[^f]]*x.*|--extract|--get"));
            default -> false;
        };
    }

    private boolean isFolderOutside(Path path) {
        places.look();
        return places.isOutside(path)
                && Files.isDirectory(path)
                && TEMPORARY.stream().noneMatch(path::startsWith);
    }

    private static boolean isTemporary(Path folder) {
        return TEMPORARY.contains(folder)
                || folder.equals(Path.of(System.getProperty("java.io.tmpdir", "/tmp")));
    }
}
