package dev.agentloop.verification;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds whether commands changed files: looks at the files before a command that may, and again at
 * the end. A check covers what was changed before it began, so its verdict ends the older looks.
 */
final class CommandChanges {
    /**
     * The files before a command.
     *
     * @param at number of the command among all calls
     */
    private record Look(long at, long digest) {}

    private final List<Look> looks = new ArrayList<>();
    private Supplier<Optional<Long>> digest = Optional::empty;
    private long checkBegan;
    private boolean mayHaveChanged;

    void of(Supplier<Optional<Long>> files) {
        digest = files;
    }

    /** A command begins that may change files. */
    void begins(long at) {
        if (looks.isEmpty() || looks.getLast().at() < checkBegan) {
            look(at);
        }
        mayHaveChanged = true;
    }

    /** A command begins with a check in it: what follows is not covered by that. */
    void checkBegins(long at) {
        checkBegan = at;
    }

    /**
     * A check that began at this place has passed or failed.
     *
     * @param goesOn whether commands are running that may change files from now on
     */
    void covered(long at, boolean goesOn) {
        looks.removeIf(look -> look.at() <= at);
        if (goesOn) {
            look(at);
        }
    }

    /** What an agent looked at that works in the same folder. */
    void adopt(CommandChanges other) {
        looks.addAll(other.looks);
        mayHaveChanged |= other.mayHaveChanged;
    }

    /** True once for each change that no check covers. */
    boolean found(boolean goesOn) {
        if (looks.isEmpty() || !mayHaveChanged && !goesOn) {
            return false;
        }
        mayHaveChanged = false;
        Optional<Long> now = digest.get();
        boolean changed =
                now.isPresent() && looks.stream().anyMatch(look -> look.digest() != now.get());
        if (changed) {
            long at = looks.getLast().at();
            looks.clear();
            looks.add(new Look(at, now.get()));
        }
        return changed;
    }

    private void look(long at) {
        digest.get().ifPresent(now -> looks.add(new Look(at, now)));
    }
}
