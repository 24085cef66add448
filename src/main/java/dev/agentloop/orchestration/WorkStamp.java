package dev.agentloop.orchestration;

import dev.agentloop.git.Git;
import dev.agentloop.git.PrivateGitFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Whether anything in a workspace has been written. Where git keeps it, what git ignores is no
 * work: tests write caches, reports and logs each time. Elsewhere every file counts.
 *
 * @param git asks in the workspace; empty where there is none
 */
public record WorkStamp(Path workspace, Optional<Git> git) implements Supplier<String> {
    private static final int STATUS_LETTERS = 3; // two and a blank before a name
    private static final List<String> STATUS =
            List.of(
                    "status",
                    "--porcelain",
                    "-z",
                    "--no-renames",
                    "--untracked-files=all",
                    "--ignore-submodules=dirty",
                    "--",
                    ".");

    /** Differs, as good as always, when the work does. */
    @Override
    public String get() {
        if (git.isPresent()) {
            try (PrivateGitFolder questions = PrivateGitFolder.around(git.get(), workspace)) {
                return kept(questions).orElseGet(() -> TreeStamp.of(workspace));
            } catch (IOException e) {
                return TreeStamp.of(workspace); // git does not keep it
            }
        }
        return TreeStamp.of(workspace);
    }

    /** Empty if git ignores all of the workspace, or cannot say it all. */
    private Optional<String> kept(PrivateGitFolder safe) throws IOException {
        Path root = safe.place().root();
        boolean inner = !workspace.equals(root);
        if (inner && safe.ask(workspace, List.of("check-ignore", "-q", ".")).exitCode() != 1) {
            return Optional.empty();
        }
        Git.Answer status = safe.ask(workspace, STATUS);
        if (!status.complete()) {
            return Optional.empty();
        }
        List<String> stamp = new ArrayList<>();
        stamp.add(safe.ask(workspace, List.of("rev-parse", "-q", "--verify", "HEAD")).text());
        for (String entry : status.text().split("\0")) {
            boolean made = entry.startsWith("?? ");
            if (entry.length() > STATUS_LETTERS && !(made && TreeStamp.isBuilt(entry))) {
                stamp.add(entry + "\0" + state(root.resolve(entry.substring(STATUS_LETTERS))));
            }
        }
        return Optional.of(String.join("\0", stamp));
    }

    private static String state(Path file) {
        try {
            var seen =
                    Files.readAttributes(
                            file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return seen.size() + " " + seen.lastModifiedTime();
        } catch (IOException e) {
            return "none"; // it was deleted
        }
    }
}
