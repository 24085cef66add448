package dev.agentloop.llm;

import java.util.List;
import java.util.Map;

/**
 * Names under which a model is told of our tools. Models that were trained on another program's
 * tools call those with fewer mistakes. Rules, journal and events always have our own names.
 */
public enum ToolNames {
    /** The program's own names. */
    OWN(List.of()),
    /** As in Claude Code. */
    CLAUDE(
            List.of(
                    ToolAlias.of("read_file", "Read"),
                    ToolAlias.of("list_files", "LS"),
                    ToolAlias.of("find_files", "Glob"),
                    ToolAlias.of("grep", "Grep").without("output_mode", "-n"),
                    ToolAlias.of("write_file", "Write"),
                    ToolAlias.of("edit_file", "Edit"),
                    ToolAlias.of("run_command", "Bash")
                            .inMilliseconds("timeout")
                            .without("description"),
                    ToolAlias.of("web_fetch", "WebFetch").without("prompt"),
                    ToolAlias.of("todo_write", "TodoWrite").without("activeForm", "id"))),
    /** As in Codex. */
    CODEX(
            List.of(
                    ToolAlias.of("list_files", "list_dir").with(Map.of("path", "dir_path")),
                    ToolAlias.of("grep", "grep_files")
                            .with(Map.of("glob", "include", "max_results", "limit")),
                    ToolAlias.of("run_command", "shell_command")
                            .with(Map.of("cwd", "workdir", "timeout", "timeout_ms"))
                            .inMilliseconds("timeout")
                            .without("justification", "login"),
                    ToolAlias.of("todo_write", "update_plan")
                            .with(Map.of("todos", "plan", "content", "step"))
                            .without("explanation"),
                    ToolAlias.of("view_image", "view_image").with(Map.of("file_path", "path"))));

    private final List<ToolAlias> aliases;

    ToolNames(List<ToolAlias> aliases) {
        this.aliases = aliases;
    }

    public List<ToolAlias> aliases() {
        return aliases;
    }
}
