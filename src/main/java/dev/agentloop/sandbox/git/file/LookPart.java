package dev.agentloop.sandbox.git.file;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A part of a look. If it fails, because a command made something that we did not think of, the
 * others are done all the same, and the result says which one is missing.
 */
public final class LookPart {
    private LookPart() {}

    /**
     * What the part found; empty if it failed.
     *
     * @param notes to which it is said
     */
    public static <T> Optional<T> of(String what, List<String> notes, Supplier<T> part) {
        try {
            return Optional.of(part.get());
        } catch (RuntimeException | StackOverflowError e) {
            String note =
                    "not looked at: "
                            + what
                            + " ("
                            + e.getClass().getSimpleName()
                            + "); before you run programs in the workspace, see what the command"
                            + " left there";
            if (!notes.contains(note)) {
                notes.add(note);
            }
            return Optional.empty();
        }
    }

    /** As {@link #of} for what finds nothing. */
    public static void run(String what, List<String> notes, Runnable part) {
        of(
                what,
                notes,
                () -> {
                    part.run();
                    return true;
                });
    }
}
