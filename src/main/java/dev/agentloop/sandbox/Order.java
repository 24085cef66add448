package dev.agentloop.sandbox;

import java.nio.file.Path;
import java.util.List;

/**
 * A command that is to run in a sandbox.
 *
 * @param network whether it gets the network
 */
public record Order(List<String> argv, Path cwd, boolean network) {}
