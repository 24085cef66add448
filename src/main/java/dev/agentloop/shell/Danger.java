package dev.agentloop.shell;

import java.nio.file.Path;
import java.util.List;

/**
 * Something that destroys what cannot be made again.
 *
 * @param what for a person, e.g. {@code deletes folders with all they hold}
 * @param targets absolute, links resolved; empty if it is not a matter of files
 * @param command the command in its normal form
 */
public record Danger(String what, List<Path> targets, String command) {
    public Danger {
        targets = List.copyOf(targets);
    }
}
