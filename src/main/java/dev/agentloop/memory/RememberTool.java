package dev.agentloop.memory;

import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.BuiltInTool;
import dev.agentloop.tool.Doc;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Keeps, changes or drops a note for later runs. Nothing is written before the run ends. */
public final class RememberTool extends BuiltInTool<RememberTool.Args> {
    private final Memory memory;
    private final boolean trusted;
    private final UnaryOperator<String> mask;

    /**
     * @param trusted whether the workspace is; else all notes are unconfirmed ones of it
     * @param mask leaves secrets out of a text
     */
    public RememberTool(Memory memory, boolean trusted, UnaryOperator<String> mask) {
        super("remember", Effect.IDEMPOTENT, Args.class);
        this.memory = memory;
        this.trusted = trusted;
        this.mask = mask;
    }

    /** A change of the notes. */
    public record Args(
            @Doc(
                            value = "Default add",
                            oneOf = {"add", "replace", "remove"},
                            optional = true)
                    @Nullable String action,
            @Doc(value = "The note, one line; not for remove", optional = true)
                    @Nullable String text,
            @Doc(value = "For replace and remove: the note, or a part only it has", optional = true)
                    @Nullable String old,
            @Doc(
                            value = "Default workspace; user: for all workspaces",
                            oneOf = {"workspace", "user"},
                            optional = true)
                    @Nullable String about) {
        public Args {
            boolean adds = action == null || action.equals("add");
            if (!"remove".equals(action) && (text == null || text.isBlank())) {
                throw new IllegalArgumentException("text is missing");
            }
            if (!adds && (old == null || old.isBlank())) {
                throw new IllegalArgumentException("old is missing");
            }
        }

        MemoryUpdate update(UnaryOperator<String> mask) {
            String note = text == null ? "" : mask.apply(text);
            String before = old == null ? "" : old;
            return switch (action == null ? "add" : action) {
                case "replace" -> new MemoryUpdate.Replace(before, note);
                case "remove" -> new MemoryUpdate.Remove(before);
                default -> new MemoryUpdate.Add(note);
            };
        }
    }

    @Override
    public String subject(Args args) {
        return args.about() == null ? "workspace" : args.about();
    }

    @Override
    public List<String> newTexts(Args args) {
        return args.text() == null ? List.of() : List.of(args.text());
    }

    @Override
    public ToolResult run(Args args, ToolContext context) throws ToolException {
        Memory.About about = about(args);
        try {
            Notes notes = memory.want(about, args.update(mask));
            return ToolResult.ok(
                    "Noted; kept when the run ends (%s notes: %d of %d bytes)."
                            .formatted(about.word(), notes.bytes(), memory.maxBytes()));
        } catch (Notes.Refused e) {
            throw ToolException.error(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw ToolException.error("The notes cannot be read: " + e.getMessage());
        }
    }

    private Memory.About about(Args args) {
        if (!trusted) {
            return Memory.About.UNCONFIRMED;
        }
        return "user".equals(args.about()) ? Memory.About.USER : Memory.About.WORKSPACE;
    }
}
