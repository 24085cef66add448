package dev.agentloop.sandbox.git;

import dev.agentloop.sandbox.git.file.GitFiles;
import dev.agentloop.sandbox.git.settings.GitSettings;
import java.nio.file.Path;
import java.util.List;

/**
 * What a file held when it had a certain stamp.
 *
 * @param dangers but for those of settings and of an index
 */
record KnownFile(String stamp, List<String> dangers, GitSettings settings, GitIndex index) {
    static KnownFile read(String stamp, Path file, GitFileKind kind) {
        return new KnownFile(
                stamp,
                Dangers.both(kind.dangers(file), secondName(file, kind)),
                kind == GitFileKind.SETTINGS ? GitSettings.of(file) : GitSettings.NONE,
                kind == GitFileKind.INDEX ? GitIndex.of(file) : GitIndex.NONE);
    }

    /** By which git could write it: it empties and fills files of the repository. */
    private static List<String> secondName(Path file, GitFileKind kind) {
        boolean decides = kind == GitFileKind.SETTINGS || kind == GitFileKind.HOOK;
        return decides && GitFiles.hasSecondName(file) ? List.of("has a second name") : List.of();
    }

    /** What is not read is taken for a trap if it has changed; an index changes all the time. */
    static KnownFile unread(String text, GitFiles.Stamp stamp, GitFileKind kind) {
        String danger = "was not read, it may run programs " + GitFiles.digest(stamp.text());
        List<String> dangers = kind.isOftenWritten() ? List.of() : List.of(danger);
        return new KnownFile(text, dangers, GitSettings.NONE, GitIndex.NONE);
    }
}
