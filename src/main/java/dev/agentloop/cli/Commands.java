package dev.agentloop.cli;

import dev.agentloop.cli.batch.EvalCommand;
import dev.agentloop.cli.batch.LoopCommand;
import dev.agentloop.cli.batch.ParallelCommand;
import dev.agentloop.cli.batch.PipelineCommand;
import dev.agentloop.cli.chat.ChatCommand;
import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.config.AgentsCommand;
import dev.agentloop.cli.config.ConfigCommand;
import dev.agentloop.cli.config.DoctorCommand;
import dev.agentloop.cli.config.MemoryCommand;
import dev.agentloop.cli.config.ModelsCommand;
import dev.agentloop.cli.config.SkillsCommand;
import dev.agentloop.cli.mcp.McpCommand;
import dev.agentloop.cli.run.ResumeCommand;
import dev.agentloop.cli.run.RunCommand;
import dev.agentloop.cli.session.ReplayCommand;
import dev.agentloop.cli.session.SessionsCommand;
import dev.agentloop.cli.session.UndoCommand;
import dev.agentloop.cli.task.ResultCommand;
import dev.agentloop.cli.task.SignalCommand;
import dev.agentloop.cli.task.StatusCommand;
import dev.agentloop.cli.task.SubmitCommand;
import dev.agentloop.cli.task.WorkerCommand;
import dev.agentloop.cli.tool.ContextCommand;
import dev.agentloop.cli.tool.PolicyCommand;
import dev.agentloop.cli.tool.ToolsCommand;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The words after {@code agent}: a new command is one line here. */
final class Commands {
    private static final Map<String, Supplier<Command>> ALL = all();

    private Commands() {}

    static Optional<Command> find(String name) {
        return Optional.ofNullable(ALL.get(name)).map(Supplier::get);
    }

    /** Names and makers in the order of the help. */
    static Map<String, Supplier<Command>> visible() {
        Map<String, Supplier<Command>> visible = new LinkedHashMap<>(ALL);
        visible.keySet().removeAll(List.of("warm-up", CompleteCommand.NAME));
        return visible;
    }

    private static Map<String, Supplier<Command>> all() {
        Map<String, Supplier<Command>> all = new LinkedHashMap<>();
        all.put("run", RunCommand::new);
        all.put("chat", ChatCommand::new);
        all.put("resume", ResumeCommand::new);
        all.put("sessions", SessionsCommand::new);
        all.put("replay", ReplayCommand::new);
        all.put("undo", UndoCommand::new);
        all.put("loop", LoopCommand::new);
        all.put("pipeline", PipelineCommand::new);
        all.put("parallel", ParallelCommand::new);
        all.put("eval", EvalCommand::new);
        all.put("config", ConfigCommand::new);
        all.put("context", ContextCommand::new);
        all.put("tools", ToolsCommand::new);
        all.put("agents", AgentsCommand::new);
        all.put("skills", SkillsCommand::new);
        all.put("memory", MemoryCommand::new);
        all.put("policy", PolicyCommand::new);
        all.put("mcp", McpCommand::new);
        all.put("models", ModelsCommand::new);
        all.put("doctor", DoctorCommand::new);
        all.put("worker", WorkerCommand::new);
        all.put("submit", SubmitCommand::new);
        all.put("signal", SignalCommand::new);
        all.put("status", StatusCommand::new);
        all.put("result", ResultCommand::new);
        all.put("schema", SchemaCommand::new);
        all.put("completion", CompletionCommand::new);
        all.put(CompleteCommand.NAME, CompleteCommand::new);
        all.put("warm-up", WarmUpCommand::new);
        return all;
    }
}
