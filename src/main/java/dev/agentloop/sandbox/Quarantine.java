package dev.agentloop.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/** Takes files out of the way: under their new name nothing reads them. */
final class Quarantine {
    private static final String SUFFIX = ".quarantined";
    private static final int MOST_NUMBERS = 100; // then any: a command may have taken them all

    private Quarantine() {}

    /** What was put away before may be the only good copy: it stays, the next one gets a number. */
    static Path putAway(Path file) throws IOException {
        for (int n = 1; ; n++) {
            int number = n <= MOST_NUMBERS ? n : ThreadLocalRandom.current().nextInt(n, 1 << 30);
            String suffix = SUFFIX + (n == 1 ? "" : "." + number);
            Path away = file.resolveSibling(file.getFileName() + suffix);
            if (!Files.exists(away, LinkOption.NOFOLLOW_LINKS)) {
                return Files.move(file, away);
            }
        }
    }
}
