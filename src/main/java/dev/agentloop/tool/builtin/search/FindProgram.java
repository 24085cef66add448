package dev.agentloop.tool.builtin.search;

import dev.agentloop.control.ParallelTask;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.process.Programs;
import dev.agentloop.search.SearchDeadline;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Lists the files of a large tree with GNU find, which need not ask the kernel about each file as
 * we have to. Ignore rules are applied by us.
 */
final class FindProgram {
    /** Files above this size are looked at by us alone: they may be holes or data to their end. */
    static final String LARGE_FILE = "16M";

    private static final String GIT = ".git";
    private static final String GITIGNORE = ".gitignore";
    private static final String RGIGNORE = ".rgignore"; // no option of all ripgreps leaves it out

    /** Begins as all of these names and {@link #NOT_ENTERED}: most names need this test alone. */
    private static final String SPECIAL = "[._n]*";

    private static final String OTHER = "";
    private static final char FILE = 'f';
    private static final char RULES = 'r';
    private static final int MOST_STARTS = 500; // words of an order; a root has some dozen
    private static final List<String> NOT_ENTERED =
            List.of("node_modules", "__pycache__", ".hg", ".svn");

    private final ProcessRunner processes;
    private final String path;
    private volatile boolean failed;

    /**
     * @param path where programs are looked for, as in the variable PATH
     */
    FindProgram(ProcessRunner processes, String path) {
        this.processes = processes;
        this.path = path;
    }

    /**
     * What it has found below a folder; paths are relative to the root and in no order.
     *
     * @param files all that is no folder and has such a name
     * @param notEntered folders of packages
     * @param rules ignore files and repositories
     * @param unreadable folders that could not be read
     */
    record Listing(
            List<String> files, List<String> notEntered, List<String> rules, int unreadable) {
        boolean hasIgnoreFiles() {
            return rules.stream().anyMatch(file -> file.endsWith(GITIGNORE));
        }

        /** The folders with rules of their own, with a slash behind each. */
        Set<String> foldersWithRules() {
            return rules.stream()
                    .map(file -> file.substring(0, file.lastIndexOf('/') + 1))
                    .collect(Collectors.toSet());
        }
    }

    /**
     * What decides whether ripgrep leaves out the same files as we do.
     *
     * @param ignoreFiles what is called {@code .gitignore} or {@code .rgignore}, links included
     * @param repositories what is called {@code .git}
     * @param allAscii whether the names of all other files are ASCII
     */
    record Rules(List<String> ignoreFiles, List<String> repositories, boolean allAscii) {}

    /**
     * Empty where there is no such program, or it cannot say.
     *
     * @param name what names must match, of letters, digits, {@code . _ - *}
     */
    Optional<Listing> list(Ripgrep.Place place, String name, SearchDeadline deadline)
            throws IOException {
        Optional<Path> program = program(place);
        if (program.isEmpty()) {
            return Optional.empty();
        }
        List<List<String>> orders =
                parts(place).stream().map(starts -> order(program.get(), starts, name)).toList();
        List<ParallelTask<Optional<ListedNames>>> others =
                orders.stream()
                        .skip(1)
                        .map(argv -> ParallelTask.start(() -> other(argv, place, deadline)))
                        .toList();
        List<Optional<ListedNames>> listed = new ArrayList<>();
        listed.add(ListedNames.of(orders.getFirst(), place.root(), processes, deadline));
        others.forEach(other -> listed.add(other.result()));
        deadline.check();
        failed |= listed.stream().flatMap(Optional::stream).anyMatch(FindProgram::isUnfit);
        return listed.stream().allMatch(part -> part.filter(FindProgram::isWhole).isPresent())
                ? Optional.of(listing(listed.stream().flatMap(Optional::stream).toList()))
                : Optional.empty();
    }

    /** On a thread of its own, where nobody would see what is thrown. */
    private Optional<ListedNames> other(
            List<String> argv, Ripgrep.Place place, SearchDeadline deadline) {
        try {
            return ListedNames.of(argv, place.root(), processes, deadline);
        } catch (IOException | SearchDeadline.Passed e) {
            return Optional.empty(); // the walk goes on where there is time
        }
    }

    private static boolean isUnfit(ListedNames listed) {
        return listed.isOfAnother() || listed.hasFailed();
    }

    private static boolean isWhole(ListedNames listed) {
        return !listed.isOfAnother() && listed.names().isPresent();
    }

    private static List<String> order(Path program, List<String> starts, String name) {
        List<String> argv = new ArrayList<>(List.of(program.toString(), "-P"));
        argv.addAll(starts);
        argv.addAll(List.of("-name", SPECIAL, "(", "-name", GIT, "-prune"));
        argv.addAll(List.of("-printf", RULES + "%p\\0", "-o"));
        argv.addAll(packages());
        argv.addAll(List.of("-prune", "-printf", "d%p\\0", "-o"));
        argv.addAll(List.of("-name", GITIGNORE, "-not", "-type", "d"));
        argv.addAll(List.of("-printf", RULES + "%p\\0", "-false", ")", "-o"));
        argv.addAll(List.of("-name", name, "-not", "-type", "d", "-printf", FILE + "%p\\0"));
        return argv;
    }

    /**
     * Where two processes begin, so that each has about half of the tree to list; where one begins,
     * if the folder holds too few or too many to divide.
     */
    private static List<List<String>> parts(Ripgrep.Place place) {
        String[] names = place.start().toFile().list();
        if (names == null
                || names.length < 2
                || names.length > MOST_STARTS
                || String.join("", names).indexOf('\uFFFD') >= 0) { // Java cannot say this name
            return List.of(List.of(place.argument(), "-mindepth", "1"));
        }
        Map<String, Integer> inside = new HashMap<>();
        for (String name : names) {
            String[] below = place.start().resolve(name).toFile().list();
            inside.put(place.argument() + name, below == null ? 0 : below.length);
        }
        List<List<String>> parts = List.of(new ArrayList<>(), new ArrayList<>());
        int[] sizes = new int[2];
        inside.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .forEach(entry -> {
                    int smaller = sizes[0] <= sizes[1] ? 0 : 1;
                    parts.get(smaller).add(entry.getKey());
                    sizes[smaller] += entry.getValue() + 1;
                });
        return parts;
    }

    /**
     * Files that are larger than {@link #LARGE_FILE}, relative to the root; empty where it cannot
     * say.
     *
     * @param everywhere whether folders of packages are entered
     */
    Optional<List<String>> large(Ripgrep.Place place, boolean everywhere, SearchDeadline deadline)
            throws IOException {
        Optional<Path> program = program(place);
        if (program.isEmpty()) {
            return Optional.empty();
        }
        List<String> argv = in(program.get(), place);
        argv.addAll(List.of("-name", GIT, "-prune", "-o"));
        if (!everywhere) {
            argv.addAll(packages());
            argv.addAll(List.of("-prune", "-o"));
        }
        argv.addAll(List.of("-type", "f", "-size", "+" + LARGE_FILE, "-print0"));
        return ListedNames.of(argv, place.root(), processes, deadline)
                .filter(listed -> !listed.isOfAnother())
                .flatMap(ListedNames::names)
                .map(names -> names.stream().map(Ripgrep.Place::relative).toList());
    }

    private Optional<Path> program(Ripgrep.Place place) {
        return failed ? Optional.empty() : Programs.find(path, "find", place.root());
    }

    private static List<String> in(Path program, Ripgrep.Place place) {
        List<String> argv = new ArrayList<>(List.of(program.toString(), "-P"));
        argv.addAll(List.of(place.argument(), "-mindepth", "1"));
        return argv;
    }

    /** Empty where it cannot say. */
    Optional<Rules> rules(Ripgrep.Place place, SearchDeadline deadline) throws IOException {
        Optional<Path> program = program(place);
        if (program.isEmpty()) {
            return Optional.empty();
        }
        List<String> argv = in(program.get(), place);
        argv.addAll(List.of("-name", SPECIAL, "(", "-name", GIT, "-prune", "-print0", "-o"));
        argv.addAll(packages());
        argv.addAll(List.of("-prune", "-o", "-name", GITIGNORE, "-print0", "-o"));
        argv.addAll(List.of("-name", RGIGNORE, "-print0", "-o", "-false", ")", "-o"));
        argv.addAll(List.of("-name", "*[! -~]*", "-print0"));
        return ListedNames.of(argv, place.root(), processes, deadline)
                .filter(listed -> !listed.isOfAnother())
                .flatMap(ListedNames::names)
                .map(FindProgram::rules);
    }

    private static Rules rules(List<String> names) {
        Map<String, List<String>> byName =
                names.stream()
                        .map(Ripgrep.Place::relative)
                        .collect(Collectors.groupingBy(FindProgram::kind));
        return new Rules(
                byName.getOrDefault(GITIGNORE, List.of()),
                byName.getOrDefault(GIT, List.of()),
                !byName.containsKey(OTHER));
    }

    private static String kind(String file) {
        return switch (file.substring(file.lastIndexOf('/') + 1)) {
            case GITIGNORE, RGIGNORE -> GITIGNORE;
            case GIT -> GIT;
            default -> OTHER;
        };
    }

    private static List<String> packages() {
        List<String> words = new ArrayList<>(List.of("-type", "d", "("));
        for (String name : NOT_ENTERED) {
            words.addAll(List.of("-name", name, "-o"));
        }
        words.removeLast();
        words.add(")");
        return words;
    }

    private static Listing listing(List<ListedNames> parts) {
        List<String> files = new ArrayList<>();
        List<String> folders = new ArrayList<>();
        List<String> rules = new ArrayList<>();
        int unreadable = 0;
        for (ListedNames part : parts) {
            for (String name : part.names().orElseThrow()) {
                String relative = Ripgrep.Place.relative(name.substring(1));
                switch (name.charAt(0)) {
                    case FILE -> files.add(relative);
                    case RULES -> rules.add(relative);
                    default -> folders.add(relative);
                }
            }
            unreadable += unreadable(part.outcome().stderr().text());
        }
        return new Listing(files, folders, rules, unreadable);
    }

    private static int unreadable(String said) {
        return (int) said.lines().filter(line -> line.endsWith("Permission denied")).count();
    }
}
