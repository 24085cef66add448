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
import java.util.List;

/** Says that a file is not there, and which one was probably meant. */
final class MissingFile {
    private static final int MAX_SIBLINGS = 10_000; // names of a folder that are looked at
    private static final int MOST_MEANT = 3; // files that are named
    private static final Duration SEARCH = Duration.ofMillis(300); // for files of the same name

    private MissingFile() {}

    /** The error for {@code asked}, the path that the model gave, which stands for {@code file}. */
    static ToolException refusal(Workspace workspace, Path file, String asked) {
        Path link = workspace.root().resolve(asked);
        if (Files.isSymbolicLink(link)) {
            return ToolException.error(
                    "%s is a broken link to %s.".formatted(asked, workspace.show(file)));
        }
        List<String> meant = inItsFolder(workspace, file);
        if (meant.isEmpty()) {
            meant = elsewhere(workspace, file);
        }
        return ToolException.error(
                "No such file: %s. %s"
                        .formatted(
                                workspace.show(file),
                                meant.isEmpty()
                                        ? "Use find_files to look for it."
                                        : "Did you mean " + String.join(", ", meant) + "?"));
    }

    private static List<String> inItsFolder(Workspace workspace, Path file) {
        Path folder = file.getParent();
        Path name = file.getFileName();
        if (folder == null || name == null || !folder.startsWith(workspace.root())) {
            return List.of();
        }
        if (!Files.isDirectory(folder)) { // a named pipe would hold up whoever lists it
            return List.of();
        }
        List<String> siblings = new ArrayList<>();
        try (DirectoryStream<Path> names = Files.newDirectoryStream(folder)) {
            for (Path sibling : names) {
                if (siblings.size() < MAX_SIBLINGS) {
                    siblings.add(String.valueOf(sibling.getFileName()));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return List.of(); // a suggestion is a favour, not a promise
        }
        return Similar.to(name.toString(), siblings, MOST_MEANT).stream()
                .map(near -> workspace.show(folder.resolve(near)))
                .toList();
    }

    /** Files of the same name in other folders of the workspace, as far as time allows. */
    private static List<String> elsewhere(Workspace workspace, Path file) {
        List<String> found = new ArrayList<>();
        Path name = file.getFileName();
        if (name == null || !file.startsWith(workspace.root())) {
            return found;
        }
        TreeWalk walk =
                new TreeWalk(workspace.root(), new SearchDeadline(SEARCH, new Cancellation()));
        try {
            walk.below(
                    workspace.root(),
                    entry -> {
                        if (name.equals(entry.path().getFileName())) {
                            found.add(entry.shown());
                        }
                        return found.size() < MOST_MEANT;
                    });
        } catch (IOException | SearchDeadline.Passed e) {
            return found; // what was found until then
        }
        return found;
    }
}
