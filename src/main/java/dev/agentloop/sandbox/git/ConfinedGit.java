package dev.agentloop.sandbox.git;

import java.nio.file.Path;
import java.util.List;

/** Runs git in the sandbox, where it can do no harm whatever it reads. */
@FunctionalInterface
public interface ConfinedGit {
    /** Whether it came to its end and found nothing wrong. */
    boolean succeeds(Path store, List<String> arguments);
}
