package dev.agentloop.search;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Where a search has its files from. */
@FunctionalInterface
public interface FileSource {
    /**
     * Hands on the files below {@code start}, each once to either.
     *
     * @param words of which a file's name has one, in any case, if it is wanted
     * @param names takes at least the paths of files with such a name, relative to the root
     * @param contents takes, in the order of a walk, at least the files with a line that the query
     *     matches
     */
    void visit(
            Path start, LineQuery query, List<String> words, Names names, TreeWalk.Visitor contents)
            throws IOException;

    /** Takes the paths of files one by one. */
    @FunctionalInterface
    interface Names {
        void take(String relative);
    }
}
