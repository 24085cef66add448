package dev.agentloop.sandbox.home;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/**
 * The user's settings of git without what commands must not read.
 *
 * @param texts their bytes as characters; they include one another by their place in the list. Git
 *     reads the first. Empty: git reads the user's own
 */
public record GitCopy(List<String> texts) {
    /** The variable that tells git (2.32 or newer) where they are. */
    public static final String VARIABLE = "GIT_CONFIG_GLOBAL";

    static final GitCopy NONE = new GitCopy(List.of());

    private static final Path NOTHING = Path.of("/dev/null");

    /**
     * The file for git in a folder that commands cannot write; it is made unless it is there.
     * Without settings git still works, so a full disk is no reason to run no command.
     */
    public Optional<Path> in(Path folder) {
        if (texts.isEmpty()) {
            return Optional.empty();
        }
        Path copy = folder.resolve("git-" + Integer.toHexString(texts.hashCode()));
        try {
            make(copy);
            return Optional.of(copy.resolve("0"));
        } catch (IOException e) {
            return Optional.of(NOTHING);
        }
    }

    /** Commands that start at the same time find all of it or make it. */
    private void make(Path copy) throws IOException {
        synchronized (GitCopy.class) {
            if (Files.exists(copy)) {
                return;
            }
            Path made = Files.createTempDirectory(copy.getParent(), "git-");
            for (int i = 0; i < texts.size(); i++) {
                Files.writeString(
                        made.resolve(String.valueOf(i)), texts.get(i), StandardCharsets.ISO_8859_1);
            }
            Files.move(made, copy, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
