package dev.agentloop.tool.builtin;

import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.BuiltInTool;
import dev.agentloop.tool.Doc;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolContext;
import java.util.List;

/**
 * The model's plan, shown to the person. Each call brings the whole list, so the newest call is the
 * plan, also of a session that goes on: nothing else is kept.
 */
public final class TodoWriteTool extends BuiltInTool<TodoWriteTool.Args> {
    private static final int MAX_TODOS = 100;
    private static final int MAX_CHARS = 500; // of one: a line in a log, not a document
    private static final String DONE = "completed";
    private static final String DOING = "in_progress";

    public TodoWriteTool() {
        super("todo_write", Effect.PURE, Args.class);
    }

    /** The whole plan, which replaces the one before. */
    public record Args(List<Todo> todos) {
        public Args {
            if (todos.size() > MAX_TODOS) {
                throw new IllegalArgumentException("at most " + MAX_TODOS + " todos");
            }
            for (Todo todo : todos) {
                if (todo.content().isBlank() || todo.content().length() > MAX_CHARS) {
                    throw new IllegalArgumentException(
                            "content of a todo must be 1 to " + MAX_CHARS + " characters");
                }
            }
        }

        long count(String status) {
            return todos.stream().filter(todo -> todo.status().equals(status)).count();
        }
    }

    /** One thing to do. */
    public record Todo(
            @Doc("") String content,
            @Doc(
                            value = "",
                            oneOf = {"pending", DOING, DONE})
                    String status) {
        private String line() {
            String box =
                    switch (status) {
                        case DONE -> "[x] ";
                        case DOING -> "[>] ";
                        default -> "[ ] ";
                    };
            return box + content;
        }
    }

    @Override
    public String subject(Args args) {
        return "";
    }

    @Override
    public ToolResult run(Args args, ToolContext context) {
        args.todos().forEach(todo -> context.progress().accept(todo.line()));
        return ToolResult.ok(
                "Plan noted: %d of %d completed, %d in progress."
                        .formatted(args.count(DONE), args.todos().size(), args.count(DOING)));
    }
}
