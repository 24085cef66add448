package dev.agentloop.sandbox.git;

import dev.agentloop.sandbox.git.file.GitFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Whether packs hold the objects that their tables name: git itself says so, in the sandbox. */
final class PackCheck {
    private static final String INDEX = ".idx";
    private static final String PACK = ".pack";

    private static final Duration LONGEST = Duration.ofMinutes(2); // for all of one look

    private final ConfinedGit git;
    private final Duration longest;

    PackCheck(ConfinedGit git) {
        this(git, LONGEST);
    }

    PackCheck(ConfinedGit git, Duration longest) {
        this.longest = longest;
        this.git = git;
    }

    static boolean isOfInterest(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(PACK) || name.endsWith(INDEX) || isTable(name);
    }

    private static boolean isTable(String name) {
        return name.equals("multi-pack-index")
                || name.equals("commit-graph")
                || name.equals("commit-graph-chain")
                || name.endsWith(".graph");
    }

    /**
     * What git says.
     *
     * @param bad files that do not hold what they should
     * @param unknown files about which git did not answer: they stay
     */
    record Result(List<Path> bad, List<Path> unknown) {}

    /** Of those files that are new or have changed. */
    Result check(Path store, List<Path> fresh) {
        Result result = new Result(new ArrayList<>(), new ArrayList<>());
        long end = System.nanoTime() + longest.toNanos();
        Set<Path> packs = new LinkedHashSet<>();
        List<Path> midx = new ArrayList<>();
        List<Path> graphs = new ArrayList<>();
        for (Path file : fresh) {
            String name = file.getFileName().toString();
            if (name.endsWith(INDEX) || name.endsWith(PACK)) {
                String stem = name.substring(0, name.lastIndexOf('.'));
                packs.add(file.resolveSibling(stem + PACK));
            } else if (name.equals("multi-pack-index")) {
                midx.add(file);
            } else if (isTable(name)) {
                graphs.add(file);
            }
        }
        for (Path pack : packs) {
            String stem = pack.getFileName().toString().replaceAll("\\.pack$", "");
            List<Path> files = new ArrayList<>(List.of(pack.resolveSibling(stem + INDEX), pack));
            files.removeIf(file -> !GitFiles.isThere(file));
            List<String> verify = List.of("index-pack", "--verify", pack.toString());
            sort(answer(store, verify, end), files, result);
        }
        if (!midx.isEmpty()) {
            sort(answer(store, List.of("multi-pack-index", "verify"), end), midx, result);
        }
        if (!graphs.isEmpty()) {
            sort(answer(store, List.of("commit-graph", "verify"), end), graphs, result);
        }
        return result;
    }

    private ConfinedGit.Answer answer(Path store, List<String> arguments, long end) {
        Duration left = Duration.ofNanos(end - System.nanoTime());
        return left.isPositive() ? git.check(store, arguments, left) : ConfinedGit.Answer.NONE;
    }

    private static void sort(ConfinedGit.Answer answer, List<Path> files, Result result) {
        switch (answer) {
            case GOOD -> {}
            case BAD -> result.bad.addAll(files);
            case NONE -> result.unknown.addAll(files);
        }
    }
}
