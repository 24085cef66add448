package dev.agentloop.cli;

import java.util.LinkedHashMap;
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
        visible.remove("warm-up");
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
        all.put("warm-up", WarmUpCommand::new);
        return all;
    }
}
