package dev.agentloop.tool.builtin;

import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.BuiltInTool;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.Person;
import dev.agentloop.tool.ToolContext;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts a question to the person. Offered only where one is there, so that no other run pays for it;
 * called all the same, as in a session that goes on without a terminal, it says that nobody
 * answers.
 */
public final class AskUserTool extends BuiltInTool<AskUserTool.Args> {
    private static final int MAX_OPTIONS = 9; // one digit each
    private static final String DECIDE =
            " Decide yourself what is most likely meant, go on, and name the assumption in your"
                    + " final answer.";

    private final Person person;

    public AskUserTool(Person person) {
        super("ask_user", Effect.PURE, Args.class);
        this.person = person;
    }

    /**
     * What the model gives when it asks the person something.
     *
     * @param options answers to choose from
     */
    public record Args(String question, @Nullable List<String> options) {
        public Args {
            if (question.isBlank()) {
                throw new IllegalArgumentException("question is empty");
            }
            if (options != null && options.size() > MAX_OPTIONS) {
                throw new IllegalArgumentException("at most " + MAX_OPTIONS + " options");
            }
        }
    }

    @Override
    public String subject(Args args) {
        return "";
    }

    @Override
    public boolean isOffered() {
        return person.isThere();
    }

    @Override
    public ToolResult run(Args args, ToolContext context) {
        if (!person.isThere()) {
            return ToolResult.ok("Nobody is there to answer: this run has no terminal." + DECIDE);
        }
        List<String> options = args.options() == null ? List.of() : args.options();
        try {
            String answer = person.answer(args.question(), options, context.cancellation());
            return ToolResult.ok(
                    answer.isBlank()
                            ? "The person left it open." + DECIDE
                            : "The person answered: " + answer);
        } catch (IOException e) {
            return ToolResult.cancelled("Not answered: " + e.getMessage() + ".");
        }
    }
}
