package dev.agentloop.tool;

import dev.agentloop.message.ToolResult;
import java.io.IOException;
import java.util.List;

/**
 * Something the model can do. {@code A} is the record of its arguments: its components, in
 * snake_case, are the parameters, {@link Doc} describes them.
 *
 * <p><b>Contract.</b> {@link #run} may block and must then stop soon after {@code
 * context.cancellation()} falls. Trouble that the model can mend is a result or a {@link
 * ToolException}; any other exception is told to the model as an internal error. Called from
 * several threads at once. A tool with {@link Effect#FILE} tells {@code context.intent().await}
 * what it will change before its first change.
 */
public interface Tool<A extends Record> {
    ToolSpec spec();

    Class<A> argumentType();

    ToolResult run(A arguments, ToolContext context) throws IOException, ToolException;

    /**
     * Paths as the model wrote them that the call reads or changes; calls on one path keep order.
     */
    default List<String> paths(A arguments) {
        return List.of();
    }

    /** What permission patterns are matched against: a path, a command, a URL. */
    String subject(A arguments);

    /**
     * Tools whose work this one can do as well: rules that deny or ask for those bind it, too, but
     * none that allows.
     */
    default List<String> alsoDoes() {
        return List.of();
    }

    /** Whether a path that ends in a link means the file that the link leads to. */
    default boolean followsLinks() {
        return true;
    }

    /** As {@link #subject}, for a tool that touches several things: each must be allowed. */
    default List<String> subjects(A arguments) {
        return List.of(subject(arguments));
    }

    /** The text that a call would put into files, as far as it is known before. */
    default List<String> newTexts(A arguments) {
        return List.of();
    }

    /** Whether the call gets the network although calls of this tool usually have none. */
    default boolean reachesNetwork(A arguments) {
        return false;
    }

    /** The folder that relative paths of a command start from, as the model wrote it. */
    default String folder(A arguments) {
        return ".";
    }

    /** Whether the model is told of it; a call is answered in any case. */
    default boolean isOffered() {
        return true;
    }

    /** How patterns are matched against the subject. */
    default SubjectKind subjectKind() {
        return spec().effect() == Effect.OPAQUE ? SubjectKind.COMMAND : SubjectKind.PATH;
    }
}
