package dev.agentloop.tool;

import dev.agentloop.control.Cancellation;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a tool may use while it runs.
 *
 * @param seen what the model has seen of each file; refuses edits of changed files
 * @param intent opens when what is about to happen is on the disk; tools with {@link Effect#FILE}
 *     wait for it before they change anything. The intent of all others is there from the start;
 *     commands may wait for it to have files kept that they endanger
 * @param progress takes one line for the person; never reaches the model
 * @param callId id of the call, the same when it is made again after a crash; empty without one
 * @param resultChars characters that the result may have; what is longer is cut in its middle
 */
public record ToolContext(
        Workspace workspace,
        Cancellation cancellation,
        SeenFiles seen,
        Barrier intent,
        Consumer<String> progress,
        String callId,
        int resultChars) {
    private static final int USUAL_CHARS = 50_000; // as in a wide window

    /** Of a call whose result may be as long as any. */
    public ToolContext(
            Workspace workspace,
            Cancellation cancellation,
            SeenFiles seen,
            Barrier intent,
            Consumer<String> progress,
            String callId) {
        this(workspace, cancellation, seen, intent, progress, callId, USUAL_CHARS);
    }

    /** Of a call without an id. */
    public ToolContext(
            Workspace workspace,
            Cancellation cancellation,
            SeenFiles seen,
            Barrier intent,
            Consumer<String> progress) {
        this(workspace, cancellation, seen, intent, progress, "");
    }

    /** The same behind another barrier. */
    public ToolContext with(Barrier other) {
        return new ToolContext(workspace, cancellation, seen, other, progress, callId, resultChars);
    }

    /** Something to tell, and to wait for, before the first change. */
    @FunctionalInterface
    public interface Barrier {
        Barrier OPEN = _ -> {};

        /**
         * Begins what {@link #await} waits for with the same touches; for a tool that has work to
         * do between knowing and changing.
         */
        default void prepare(List<Touch> touched) {}

        /**
         * What a call that takes long has to show until now; whoever takes the session up again
         * after a crash is told the last of it.
         */
        default void soFar(String output) {}

        /**
         * Returns when these changes may happen; throws if they must not.
         *
         * @param touched everything that the call changes, in its order
         */
        void await(List<Touch> touched) throws ToolException;
    }
}
