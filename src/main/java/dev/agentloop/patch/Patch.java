package dev.agentloop.patch;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A patch as it was read: what is to become of which files, in its order. */
public record Patch(List<Section> sections) {
    /** The mode is not spoken of. */
    public static final int KEEP_MODE = -1;

    /** What becomes of one file. */
    public sealed interface Section {
        /** As the patch writes it. */
        String path();
    }

    /**
     * A new file.
     *
     * @param mode permission bits, or {@link #KEEP_MODE} for the usual ones
     */
    public record Add(String path, List<String> lines, boolean finalNewline, int mode)
            implements Section {}

    /**
     * A file that goes.
     *
     * @param hunks its content, if the patch repeats it; it must be that
     */
    public record Delete(String path, List<Hunk> hunks) implements Section {}

    /**
     * A file that changes, is moved, or both.
     *
     * @param mode permission bits, or {@link #KEEP_MODE}
     */
    public record Update(String path, Optional<String> moveTo, List<Hunk> hunks, int mode)
            implements Section {}

    /** Every path that the patch names, once, in its order. */
    public List<String> paths() {
        Set<String> paths = new LinkedHashSet<>();
        for (Section section : sections) {
            paths.add(section.path());
            if (section instanceof Update update) {
                update.moveTo().ifPresent(paths::add);
            }
        }
        return List.copyOf(paths);
    }
}
