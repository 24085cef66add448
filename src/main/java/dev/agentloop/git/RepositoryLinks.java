package dev.agentloop.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Links among the folders of a repository in which git writes for us: it would follow them. */
public final class RepositoryLinks {
    private RepositoryLinks() {}

    /**
     * Looks at each folder on the way to these.
     *
     * @param store folder of the repository
     * @param names of folders and files in it
     * @throws IOException if one is a link, with what to do about it
     */
    public static void refuse(Path store, String... names) throws IOException {
        for (String name : names) {
            Path at = store;
            for (Path part : Path.of(name)) {
                at = at.resolve(part);
                if (Files.isSymbolicLink(at)) {
                    throw new IOException(
                            "%s is a link to %s, and work trees are only made where git writes nothing through a link: put the folder itself in its place"
                                    .formatted(at, Files.readSymbolicLink(at)));
                }
            }
        }
    }
}
