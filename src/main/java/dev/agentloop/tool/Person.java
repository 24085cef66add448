package dev.agentloop.tool;

import dev.agentloop.control.Cancellation;
import java.io.IOException;
import java.util.List;

/**
 * The person in front of the program, for tools that ask.
 *
 * <p><b>Contract.</b> {@link #answer} blocks for as long as the person thinks and ends soon after
 * the cancellation falls. It is not called where nobody is there. One question at a time.
 */
public interface Person {
    /** Runs without a terminal: nobody will ever answer. */
    Person NOBODY =
            new Person() {
                @Override
                public boolean isThere() {
                    return false;
                }

                @Override
                public String answer(
                        String question, List<String> options, Cancellation cancellation) {
                    throw new IllegalStateException("nobody is there");
                }
            };

    boolean isThere();

    /** What the person wants the model to know before its next step; each is said once. */
    default List<String> said() {
        return List.of();
    }

    /**
     * What the person says; empty if they leave it open.
     *
     * @param options to choose from; the person may say something else
     * @throws IOException when there will be no answer any more
     */
    String answer(String question, List<String> options, Cancellation cancellation)
            throws IOException;
}
