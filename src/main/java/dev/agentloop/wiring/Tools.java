package dev.agentloop.wiring;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.ConfigException;
import dev.agentloop.config.HookConfig;
import dev.agentloop.hook.CommandHooks;
import dev.agentloop.hook.HookCommand;
import dev.agentloop.hook.PostEditHooks;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.ToolRegistry;
import dev.agentloop.tool.Workspace;
import dev.agentloop.tool.builtin.EditFileTool;
import dev.agentloop.tool.builtin.FindFilesTool;
import dev.agentloop.tool.builtin.GrepTool;
import dev.agentloop.tool.builtin.ListFilesTool;
import dev.agentloop.tool.builtin.ReadFileTool;
import dev.agentloop.tool.builtin.RunCommandTool;
import dev.agentloop.tool.builtin.SearchCodeTool;
import dev.agentloop.tool.builtin.WriteFileTool;
import java.util.List;

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
                    "run_command");

    /** Names of later versions, which rules may speak about already. */
    static final List<String> PROMISED =
            List.of(
                    "apply_patch",
                    "delete_file",
                    "move_file",
                    "command_output",
                    "stop_command",
                    "web_fetch",
                    "todo_write",
                    "ask_user",
                    "skill",
                    "remember",
                    "dispatch_subagent");

    private Tools() {}

    public static ToolRegistry builtin(
            AgentConfig.Commands commands, ProcessRunner processes, Workspace workspace) {
        List<Tool<?>> tools =
                List.of(
                        new ReadFileTool(),
                        new ListFilesTool(),
                        new FindFilesTool(),
                        new GrepTool(processes, System.getenv().getOrDefault("PATH", "")),
                        new SearchCodeTool(),
                        new WriteFileTool(),
                        new EditFileTool(),
                        new RunCommandTool(processes, commands.timeout()));
        return new ToolRegistry(tools, workspace);
    }

    /** Refuses hooks whose command could turn a file name into a command. */
    public static void checkHooks(AgentConfig.Hooks hooks) {
        hooks.postEdit().forEach(Tools::command);
    }

    private static HookCommand command(HookConfig hook) {
        try {
            return new HookCommand(
                    hook.name(), hook.command(), hook.filePatterns(), hook.timeout());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    "hooks.post_edit",
                    "the command of " + hook.name() + " cannot be used: " + e.getMessage(),
                    "Let {file} be a word of its own.",
                    "");
        }
    }

    /** The user's enabled post-edit hooks. */
    static PostEditHooks hooks(RunSetup setup, Workspace workspace, ProcessRunner processes) {
        List<HookCommand> commands =
                setup.demo()
                        ? DemoProject.HOOKS
                        : setup.config().hooks().postEdit().stream()
                                .filter(hook -> hook.enabled())
                                .map(Tools::command)
                                .toList();
        return commands.isEmpty()
                ? PostEditHooks.NONE
                : new CommandHooks(commands, workspace.root(), processes);
    }
}
