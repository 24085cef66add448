package dev.agentloop.shell;

import dev.agentloop.shell.program.Subcommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Files outside the workspace whose text a command cuts, replaces or changes, as far as its words
 * say it. A file that is not there yet is none, nor one right in a folder for temporary files.
 */
final class Overwrites {
    /** Of these all that {@link FileUse} says they write is replaced. */
    private static final Set<String> REPLACING =
            Set.of(
                    ("tee sponge shred truncate dd sort curl wget cp mv install ln rsync scp uniq"
                                    + " xxd sed perl ruby patch")
                            .split(" "));

    private static final Set<String> COPIERS = Set.of("cp", "mv", "install", "ln");

    /** Their {@code -o} is no file that they write. */
    private static final Set<String> OTHER_O =
            Set.of(
                    ("grep egrep fgrep zgrep rg ag ack ls ps find ssh scp sftp sshfs mount lsblk "
                                    + "set jq git tar test [ su pgrep md5sum od xxd id column")
                            .split(" "));

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
        overwrites.paths.removeIf(path -> !overwrites.isPrecious(path));
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

    /** {@code gcc a.c -o FILE}, {@code pandoc --output=FILE}. */
    private void outputs() {
        if (OTHER_O.contains(command.name())) {
            return;
        }
        List<Word> words = command.arguments();
        for (int i = 0; i < words.size(); i++) {
            String text = words.get(i).text();
            if ((text.equals("-o") || text.equals("--output")) && i + 1 < words.size()) {
                paths.addAll(places.of(command, words.get(i + 1)));
            } else if (text.startsWith("--output=")) {
                paths.addAll(places.of(command, text.substring("--output=".length())));
            }
        }
    }

    /** Whether it adds to files, or leaves those that are there. */
    private boolean spares() {
        Subcommand words = Subcommand.of(command.name(), command.texts());
        return switch (command.name()) {
            case "tee" -> words.hasFlag('a') || words.hasAnyWith("--a");
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

    private static boolean isTemporary(Path folder) {
        return TEMPORARY.contains(folder)
                || folder.equals(Path.of(System.getProperty("java.io.tmpdir", "/tmp")));
    }
}
