package dev.agentloop.sandbox.git;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Whether packs hold the objects that their tables name: git itself says so, in the sandbox. */
final class PackCheck {
    private static final String INDEX = ".idx";
    private static final String PACK = ".pack";

    private final ConfinedGit git;

    PackCheck(ConfinedGit git) {
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

    /** Of those files that are new or have changed. */
    List<Path> bad(Path store, List<Path> fresh) {
        List<Path> bad = new ArrayList<>();
        Set<Path> packs = new LinkedHashSet<>();
        for (Path file : fresh) {
            String name = file.getFileName().toString();
            if (name.endsWith(INDEX) || name.endsWith(PACK)) {
                String stem = name.substring(0, name.lastIndexOf('.'));
                packs.add(file.resolveSibling(stem + PACK));
            }
        }
        for (Path pack : packs) {
            if (!git.succeeds(store, List.of("index-pack", "--verify", pack.toString()))) {
                String stem = pack.getFileName().toString().replaceAll("\\.pack$", "");
                for (Path file : List.of(pack.resolveSibling(stem + INDEX), pack)) {
                    if (GitFiles.isThere(file)) {
                        bad.add(file);
                    }
                }
            }
        }
        tables(store, fresh, bad);
        return bad;
    }

    private void tables(Path store, List<Path> fresh, List<Path> bad) {
        List<Path> graphs = new ArrayList<>();
        for (Path file : fresh) {
            String name = file.getFileName().toString();
            if (name.equals("multi-pack-index")) {
                if (!git.succeeds(store, List.of("multi-pack-index", "verify"))) {
                    bad.add(file);
                }
            } else if (isTable(name)) {
                graphs.add(file);
            }
        }
        if (!graphs.isEmpty() && !git.succeeds(store, List.of("commit-graph", "verify"))) {
            bad.addAll(graphs);
        }
    }
}
