package dev.agentloop.search;

import java.io.IOException;
import java.nio.file.Path;

/** Where a search has its files from. */
@FunctionalInterface
public interface FileSource {
    /**
     * Hands on the files below {@code start}, each once to either.
     *
     * @param names takes the path of every file, relative to the root
     * @param contents takes, in the order of a walk, at least the files with a line that the query
     *     matches
     */
    void visit(Path start, LineQuery query, Names names, TreeWalk.Visitor contents)
            throws IOException;

    /** Takes the paths of files one by one. */
    @FunctionalInterface
    interface Names {
        void take(String relative);
    }

    /** Walks the tree. */
    static FileSource walking(TreeWalk walk) {
        return (start, _, names, contents) ->
                walk.files(
                        start,
                        file -> {
                            names.take(file.relative());
                            return contents.visit(file);
                        });
    }
}
