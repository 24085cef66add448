package dev.agentloop.sandbox.git;

import java.nio.file.Path;
import java.util.List;

/**
 * Where git finds what commands may write.
 *
 * @param userSettings files of settings for all repositories of the user, and of the system
 * @param writable further folders that commands may write
 */
public record WatchedPlaces(
        Path workspace, Path home, List<Path> userSettings, List<Path> writable) {}
