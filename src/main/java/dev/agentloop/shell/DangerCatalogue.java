package dev.agentloop.shell;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Commands that destroyed somebody's work before, whatever starts them. */
final class DangerCatalogue {
    /** Programs whose operands are files, not what to do. */
    private static final Set<String> FILE_PROGRAMS =
            Set.of(
                    "rm",
                    "find",
                    "xargs",
                    "parallel",
                    "dd",
                    "shred",
                    "truncate",
                    "wipefs",
                    "fdisk",
                    "parted",
                    "sgdisk",
                    "blkdiscard",
                    "chmod",
                    "chown",
                    "chgrp",
                    "mv",
                    "kill",
                    "killall",
                    "pkill");

    private final Places places;
    private final SimpleCommand command;
    private final List<Danger> dangers = new ArrayList<>();

    DangerCatalogue(Places places, SimpleCommand command) {
        this.places = places;
        this.command = command;
    }

    List<Danger> dangers() {
        if (!command.words().isEmpty()) {
            boolean verbs = !FILE_PROGRAMS.contains(command.name());
            for (Subcommand words :
                    verbs ? Subcommand.readings(command) : List.of(Subcommand.of(command))) {
                program(command.name(), words);
            }
        }
        for (Redirect redirect : command.redirects()) {
            if (redirect.isWriting() && isDisk(redirect.target().text())) {
                add("overwrites a disk", List.of(redirect.target()));
            }
        }
        return dangers;
    }

    private void program(String name, Subcommand words) {
        switch (name) {
            case "rm" -> remove(words);
            case "find" -> find();
            case "xargs", "parallel" -> removeGiven(words);
            case "git" -> GitDangers.what(words).ifPresent(what -> add(what, List.of()));
            case "dd" -> diskImage();
            case "shred", "truncate" -> add(name + " destroys what files hold", operands());
            case "wipefs", "fdisk", "parted", "sgdisk", "blkdiscard" ->
                    add("changes a disk", operands());
            case "chmod", "chown", "chgrp" -> {
                if (words.hasFlag('R') || words.hasAnyWith("--recursive")) {
                    wide("changes who may use all files in a folder", operands());
                }
            }
            case "mv" -> wide("moves a whole folder away", operands());
            case "psql", "mysql", "mariadb", "sqlite3", "sqlcmd", "duckdb" -> database();
            case "dropdb" -> add("drops a database", List.of());
            case "redis-cli" -> flush();
            case "kill" -> {
                if (command.texts().stream().skip(1).anyMatch(word -> word.equals("-1"))) {
                    add("ends every process", List.of());
                }
            }
            case "shutdown", "reboot", "halt", "poweroff" -> add("stops the machine", List.of());
            case "crontab" -> {
                if (words.hasFlag('r')) {
                    add("deletes all jobs of cron", List.of());
                }
            }
            default -> remote(name, words);
        }
    }

    private void remote(String name, Subcommand words) {
        boolean destroys =
                switch (name) {
                    case "terraform", "tofu", "pulumi", "cdk" ->
                            words.verb().equals("destroy") || words.hasAnyWith("-destroy");
                    case "kubectl" -> words.verb().equals("delete") || words.verb().equals("drain");
                    case "helm" -> Set.of("uninstall", "delete").contains(words.verb());
                    case "docker", "podman" -> isDockerLoss(words);
                    case "gh", "glab" ->
                            words.is("repo", "delete") || words.is("release", "delete");
                    case "aws" ->
                            words.is("s3", "rm")
                                    || words.is("s3", "rb")
                                    || words.operand(1).startsWith("delete-")
                                    || words.operand(1).startsWith("terminate-");
                    case "gcloud", "az" -> words.operands().contains("delete");
                    default -> false;
                };
        if (name.equals("rsync") && words.hasAnyWith("--del")) {
            add("deletes what the source does not have", operands());
        }
        if (destroys) {
            add("destroys what runs or is kept elsewhere", List.of());
        }
        if (name.startsWith("mkfs") || name.equals("mke2fs")) {
            add("makes a new file system on a disk", operands());
        }
    }

    private static boolean isDockerLoss(Subcommand words) {
        return words.operand(1).equals("prune")
                || words.is("volume", "rm")
                || words.is("compose", "down") && (words.hasFlag('v') || words.has("--volumes"));
    }

    private void remove(Subcommand words) {
        boolean recursive = words.hasFlag('r') || words.hasFlag('R') || words.hasAnyWith("--r");
        if (!recursive) {
            return;
        }
        List<Word> operands = operands();
        if (operands.isEmpty()) {
            add("deletes folders whose names it is given when it runs", List.of());
        } else {
            wide("deletes folders with all they hold", operands);
        }
    }

    private void removeGiven(Subcommand words) {
        boolean recursive = words.hasFlag('r') || words.hasFlag('R');
        if (words.operands().contains("rm") && recursive) {
            add("deletes folders whose names it is given when it runs", List.of());
        }
    }

    private void find() {
        List<Word> arguments = command.arguments();
        boolean removes =
                FindExpression.deletes(arguments)
                        || FindExpression.commands(arguments).stream()
                                .anyMatch(words -> !words.isEmpty() && isRemover(words));
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

    private static boolean isRemover(List<Word> words) {
        String text = words.getFirst().text();
        return text.equals("rm") || text.endsWith("/rm") || text.equals("shred");
    }

    private boolean isForeign(Word word) {
        return places.isUnknown(word)
                || places.of(command, word).stream().anyMatch(places::isOutside);
    }

    private void diskImage() {
        for (Word word : command.arguments()) {
            if (word.startsWith("of=") && isDisk(word.text().substring(3))) {
                add("overwrites a disk", List.of(Word.literal(word.text().substring(3))));
            }
        }
    }

    private static boolean isDisk(String path) {
        return path.startsWith("/dev/")
                && !path.matches("/dev/(null|std(in|out|err)|tty|fd/.*|shm/.*|full|zero)");
    }

    private void database() {
        String words = String.join(" ", texts()).toUpperCase(Locale.ROOT);
        for (String lost : List.of("DROP TABLE", "DROP DATABASE", "DROP SCHEMA", "TRUNCATE ")) {
            if (words.contains(lost)) {
                add("runs " + lost.strip(), List.of());
            }
        }
    }

    private void flush() {
        if (texts().stream().anyMatch(word -> word.toUpperCase(Locale.ROOT).startsWith("FLUSH"))) {
            add("empties a database", List.of());
        }
    }

    /** The words, and the text that the command reads. */
    private List<String> texts() {
        List<String> texts = new ArrayList<>();
        command.texts().forEach(text -> texts.add(String.join(" ", text.split("\\s+"))));
        command.redirects().stream()
                .filter(Redirect::isHereDocument)
                .forEach(redirect -> texts.add(redirect.target().text()));
        return texts;
    }

    private List<Word> operands() {
        List<Word> operands = new ArrayList<>();
        boolean all = false;
        for (Word word : command.arguments()) {
            if (!all && word.text().equals("--")) {
                all = true;
            } else if (all || !word.startsWith("-")) {
                operands.add(word);
            }
        }
        return operands;
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
            boolean root = places.workspace().startsWith(path) || places.home().startsWith(path);
            boolean git = path.startsWith(places.workspace().resolve(".git"));
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
