package dev.agentloop.wiring.run;

import dev.agentloop.git.CommitFiles;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where guidance for the model is read from, and what else it may be told.
 *
 * @param user folder of the user's own configuration; need not exist
 * @param root of the project: the workspace or a folder above it
 * @param state folder of the program's own state; need not exist
 * @param commit that the project's is taken from, in place of its files
 */
public record GuidancePlaces(Path user, Path root, Path state, Optional<CommitFiles> commit) {}
