package dev.agentloop.verification;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds whether commands changed files: looks at the files before a command that may, and again
 * before somebody else changes any, and at the end. A check covers what was changed before it
 * began, so its verdict ends the older looks.
 */
final class CommandChanges {
    /**
     * What the files were like when a command was about to begin, to be compared with what they are
     * like after it.
     *
     * @param at number of the command among all calls
     * @param digest empty where they are known to have changed since
     */
    record Look(long at, Optional<Long> digest) {
        boolean differs(long now) {
            return digest.isEmpty() || digest.get() != now;
        }
    }

    private final List<Look> looks = new ArrayList<>();
    private Supplier<Optional<Long>> files = Optional::empty;
    private long checkBegan;
    private boolean mayHaveChanged;
    private boolean givenUp; // the files cannot be looked at, or not in time

    void of(Supplier<Optional<Long>> digest) {
        files = digest;
    }

    /**
     * A command begins that may change files.
     *
     * @param check whether there is a check in it, after which it may change more
     */
    void begins(long at, boolean check) {
        if (check || looks.isEmpty() || looks.getLast().at() < checkBegan) {
            look(at);
        }
        mayHaveChanged = true;
    }

    /** A command begins with a check in it: what follows is not covered by that. */
    void checkBegins(long at) {
        checkBegan = at;
    }

    /** Somebody who tells of each change is about to make some: they are not those of commands. */
    void beforeOthers() {
        if (looks.isEmpty()) {
            return;
        }
        Optional<Long> now = digest();
        if (now.isPresent()) {
            looks.removeIf(look -> !look.differs(now.get()));
            looks.replaceAll(look -> new Look(look.at(), Optional.empty()));
        }
    }

    /**
     * A check has passed or failed.
     *
     * @param before number of the first command that it says nothing of
     * @param goesOn whether commands are running that may change files from now on
     */
    void covered(long before, boolean goesOn) {
        looks.removeIf(look -> look.at() < before);
        if (goesOn) {
            look(before);
        }
    }

    /**
     * What an agent looked at that works in the same folder.
     *
     * @param after number of the newest check
     */
    void adopt(List<Look> others, long after) {
        others.stream().filter(look -> look.at() > after).forEach(looks::add);
        mayHaveChanged |= !others.isEmpty();
    }

    List<Look> looks() {
        return List.copyOf(looks);
    }

    /** True once for each change that no check covers. */
    boolean found(boolean goesOn) {
        if (looks.isEmpty() || !mayHaveChanged && !goesOn) {
            return false;
        }
        mayHaveChanged = false;
        Optional<Long> now = digest();
        boolean changed =
                looks.stream()
                        .anyMatch(look ->
                                look.digest().isEmpty()
                                        || now.isPresent() && look.differs(now.get()));
        if (changed) {
            long at = looks.getLast().at();
            looks.clear();
            now.ifPresent(_ -> looks.add(new Look(at, now)));
        }
        return changed;
    }

    private void look(long at) {
        digest().ifPresent(now -> looks.add(new Look(at, Optional.of(now))));
    }

    private Optional<Long> digest() {
        Optional<Long> now = givenUp ? Optional.empty() : files.get();
        givenUp = now.isEmpty();
        return now;
    }
}
