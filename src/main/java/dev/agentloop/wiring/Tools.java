package dev.agentloop.wiring;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.McpServerConfig;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.tool.HostPattern;
import dev.agentloop.tool.Person;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.Workspace;
import dev.agentloop.tool.builtin.AskUserTool;
import dev.agentloop.tool.builtin.TodoWriteTool;
import dev.agentloop.tool.builtin.command.CommandInputTool;
import dev.agentloop.tool.builtin.command.CommandOutputTool;
import dev.agentloop.tool.builtin.command.RunCommandTool;
import dev.agentloop.tool.builtin.command.StopCommandTool;
import dev.agentloop.tool.builtin.file.ApplyPatchTool;
import dev.agentloop.tool.builtin.file.DeleteFileTool;
import dev.agentloop.tool.builtin.file.EditFileTool;
import dev.agentloop.tool.builtin.file.MoveFileTool;
import dev.agentloop.tool.builtin.file.ReadFileTool;
import dev.agentloop.tool.builtin.file.ViewImageTool;
import dev.agentloop.tool.builtin.file.WriteFileTool;
import dev.agentloop.tool.builtin.search.FindFilesTool;
import dev.agentloop.tool.builtin.search.GrepTool;
import dev.agentloop.tool.builtin.search.ListFilesTool;
import dev.agentloop.tool.builtin.search.SearchCodeTool;
import dev.agentloop.tool.call.ToolRegistry;
import dev.agentloop.web.WebFetchTool;
import dev.agentloop.web.WebLimits;
import dev.agentloop.wiring.mcp.McpLaunch;
import dev.agentloop.wiring.model.Authorities;
import dev.agentloop.wiring.run.RunSetup;
import dev.agentloop.wiring.run.RunSurroundings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The list of tools: a new tool is one line here. The order is part of the cached prompt. */
public final class Tools {
    /** In the order of the tools. */
    static final List<String> NAMES =
            List.of(
                    "read_file",
                    "list_files",
                    "find_files",
                    "grep",
                    "search_code",
                    "write_file",
                    "edit_file",
                    "apply_patch",
                    "delete_file",
                    "move_file",
                    "run_command",
                    "command_output",
                    "command_input",
                    "stop_command",
                    "web_fetch",
                    "todo_write",
                    "ask_user",
                    "view_image");

    /** Names that are there only in some runs, or in later versions; rules may speak of them. */
    static final List<String> PROMISED =
            List.of("skill", "remember", "switch_agent", "dispatch_subagent", "wait");

    private static final int CHARS_PER_TOKEN = 4; // as results are cut
    private static final int MAX_PAGE_CHARS = 60_000; // where results are never cut

    private Tools() {}

    /**
     * What the tools are made of.
     *
     * @param environment where proxies are named
     * @param person who may be asked
     * @param seesImages whether the model does
     * @param foreign tools of MCP servers, which go after ours
     */
    public record Parts(
            AgentConfig config,
            ProcessRunner processes,
            Map<String, String> environment,
            Person person,
            boolean seesImages,
            List<Tool<?>> foreign) {
        private String path() {
            return environment.getOrDefault("PATH", "");
        }
    }

    /**
     * The tools of a run.
     *
     * @param more those that not every run has, and those of MCP servers
     */
    static ToolRegistry of(
            RunSetup setup, RunSurroundings around, List<Tool<?>> more, Workspace workspace) {
        Parts parts =
                new Parts(
                        setup.config(),
                        around.processes(),
                        around.environment(),
                        around.person(),
                        setup.model().model().info().capabilities().images(),
                        more);
        return builtin(parts, workspace);
    }

    public static ToolRegistry builtin(Parts parts, Workspace workspace) {
        List<Tool<?>> tools = new ArrayList<>(own(parts));
        tools.addAll(parts.foreign());
        return new ToolRegistry(tools, workspace);
    }

    /** All but foreign ones. */
    public static List<Tool<?>> own(Parts parts) {
        ProcessRunner processes = parts.processes();
        return List.of(
                new ReadFileTool(parts.seesImages(), parts.processes()),
                new ListFilesTool(),
                new FindFilesTool(processes, parts.path()),
                new GrepTool(processes, parts.path()),
                new SearchCodeTool(processes, parts.path()),
                new WriteFileTool(),
                new EditFileTool(),
                new ApplyPatchTool(),
                new DeleteFileTool(),
                new MoveFileTool(),
                new RunCommandTool(processes, parts.config().commands().timeout()),
                new CommandOutputTool(processes.background()),
                new CommandInputTool(processes.background()),
                new StopCommandTool(processes.background()),
                webFetch(parts),
                new TodoWriteTool(),
                new AskUserTool(parts.person()),
                new ViewImageTool(parts.seesImages()));
    }

    private static Tool<?> webFetch(Parts parts) {
        AgentConfig config = parts.config();
        int page = Math.min(MAX_PAGE_CHARS, config.tools().resultBudgetChars());
        int tokens = config.context().maxToolResultTokens().orElse(0);
        return new WebFetchTool(
                WebLimits.ofPage(tokens == 0 ? page : Math.min(page, tokens * CHARS_PER_TOKEN)),
                parts.environment(),
                () -> Authorities.of(config.llm(), parts.environment()),
                privateHosts(config.tools().webPrivateHosts()));
    }

    private static List<HostPattern> privateHosts(List<String> texts) {
        List<HostPattern> hosts = new ArrayList<>();
        for (String text : texts) {
            hosts.add(
                    HostPattern.parse(text)
                            .orElseThrow(() ->
                                    new ConfigException(
                                            "tools.web_private_hosts",
                                            "\"" + text + "\" names no server",
                                            "Write HOST, HOST:PORT or *.DOMAIN, without http://.",
                                            "")));
        }
        return hosts;
    }

    /** Refuses what no tool or hook could be made of, before a session is begun for it. */
    public static void check(AgentConfig config) {
        Hooks.check(config);
        for (McpServerConfig server : config.mcpServers().values()) { // a reference would load it
            McpLaunch.check(server);
        }
        privateHosts(config.tools().webPrivateHosts());
    }
}
