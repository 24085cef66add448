package dev.agentloop.tool.builtin.file;

import dev.agentloop.control.Cancellation;
import dev.agentloop.search.SearchDeadline;
import dev.agentloop.search.TreeWalk;
import dev.agentloop.tool.Similar;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.Workspace;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Says that a file or folder is not there, and which one was probably meant. */
final class MissingFile {
    private static final int MAX_SIBLINGS = 10_000; // names of a folder that are looked at
    private static final int MOST_ALIKE = 3; // names that are named
    private static final int MOST_MEANT = 4; // of both kinds
    private static final Duration SEARCH = Duration.ofMillis(300); // for files of the same name

    private MissingFile() {}

    /**
     * The error for a path that leads to nothing.
     *
     * @param asked the path that the model gave, which stands for {@code file}
     * @param folder whether a folder is wanted, and no file
     */
    static ToolException refusal(Workspace workspace, Path file, String asked, boolean folder) {
        Path link = workspace.root().resolve(asked);
        if (Files.isSymbolicLink(link)) {
            return ToolException.error(
                    "%s is a broken link to %s."
                            .formatted(TreeWalk.shown(asked), shown(workspace, file)));
        }
        Set<String> meant = new LinkedHashSet<>(elsewhere(workspace, file, folder));
        meant.addAll(inItsFolder(workspace, file));
        String end =
                !meant.isEmpty()
                        ? "Did you mean %s?"
                                .formatted(
                                        meant.stream()
                                                .limit(MOST_MEANT)
                                                .collect(Collectors.joining(", ")))
                        : folder
                                ? "Use list_files to see which there are."
                                : "Use find_files to look for it.";
        return ToolException.error("No such file: " + shown(workspace, file) + ". " + end);
    }

    private static String shown(Workspace workspace, Path file) {
        return TreeWalk.shown(workspace.show(file));
    }

    private static List<String> inItsFolder(Workspace workspace, Path file) {
        Path folder = file.getParent();
        Path name = file.getFileName();
        if (folder == null || name == null || !workspace.roots().hold(folder)) {
            return List.of();
        }
        if (!Files.isDirectory(folder)) { // a named pipe would hold up whoever lists it
            return List.of();
        }
        List<String> siblings = new ArrayList<>();
        try (DirectoryStream<Path> names = Files.newDirectoryStream(folder)) {
            for (Path sibling : names) {
                siblings.add(String.valueOf(sibling.getFileName()));
                if (siblings.size() == MAX_SIBLINGS) {
                    break;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return List.of(); // a suggestion is a favour, not a promise
        }
        return Similar.to(name.toString(), siblings, MOST_ALIKE).stream()
                .map(near -> shown(workspace, folder.resolve(near)))
                .toList();
    }

    /** What has the same name in other folders of the workspace, as far as time allows. */
    private static List<String> elsewhere(Workspace workspace, Path file, boolean folder) {
        List<String> found = new ArrayList<>();
        Path name = file.getFileName();
        if (name == null || !workspace.roots().hold(file)) {
            return found;
        }
        Path root = workspace.roots().around(file);
        TreeWalk walk = new TreeWalk(root, new SearchDeadline(SEARCH, new Cancellation()));
        try {
            walk.below(
                    root,
                    entry -> {
                        boolean fits = folder ? entry.isFolder() : entry.isFile();
                        if (fits && name.equals(entry.path().getFileName())) {
                            found.add(shown(workspace, entry.path()));
                        }
                        return found.size() < MOST_ALIKE;
                    });
        } catch (IOException | SearchDeadline.Passed e) {
            return found; // what was found until then
        }
        return found;
    }
}
