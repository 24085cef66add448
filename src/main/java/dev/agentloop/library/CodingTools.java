package dev.agentloop.library;

import dev.agentloop.config.ConfigLoader;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.tool.Person;
import dev.agentloop.tool.Tool;
import dev.agentloop.wiring.Tools;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The tools of the command line for a loop of one's own: they read, search and change files of its
 * workspace and run commands there. Commands run with the rights of this program, in no sandbox, in
 * an environment without what looks like a secret. Closing kills what they left running.
 *
 * <pre>{@code
 * try (CodingTools tools = CodingTools.open()) {
 *     AgentLoopBuilder builder = AgentLoop.builder(llm, context).workspace(Path.of("."));
 *     tools.named("read_file", "grep", "edit_file").forEach(builder::tool);
 * }
 * }</pre>
 */
public final class CodingTools implements AutoCloseable {
    private final ProcessRunner processes;
    private final List<Tool<?>> tools;

    private CodingTools(Map<String, String> environment) {
        this.processes = new ProcessRunner(environment, List.of());
        this.tools =
                Tools.own(
                        new Tools.Parts(
                                ConfigLoader.only("library", "", Path.of("")).config(),
                                processes,
                                environment,
                                Person.NOBODY,
                                false,
                                List.of()));
    }

    /** With the environment of this program. */
    public static CodingTools open() {
        return new CodingTools(System.getenv());
    }

    /** Those of these names, in the order in which the command line offers them. */
    public List<Tool<?>> named(String... names) {
        Collection<String> wanted = Set.of(names);
        List<Tool<?>> found =
                tools.stream()
                        .filter(tool -> wanted.contains(tool.spec().name()))
                        .<Tool<?>>map(tool -> tool)
                        .toList();
        if (found.size() < wanted.size()) {
            List<String> known = tools.stream().map(tool -> tool.spec().name()).toList();
            throw new IllegalArgumentException("of " + wanted + " some are not among " + known);
        }
        return found;
    }

    @Override
    public void close() {
        processes.killAll();
    }
}
