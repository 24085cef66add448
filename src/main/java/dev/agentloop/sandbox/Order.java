package dev.agentloop.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A command that is to run in a sandbox.
 *
 * @param variables besides those that all commands have; names as a shell takes them
 * @param network whether it gets the network
 */
public record Order(List<String> argv, Path cwd, Map<String, String> variables, boolean network) {}
