package dev.agentloop.loop.run;

import java.util.Optional;

/** What a final answer must be; the model gets the problem back and may mend it. */
@FunctionalInterface
public interface AnswerCheck {
    /** Any answer will do. */
    AnswerCheck ANY = _ -> Optional.empty();

    /** What is wrong with the answer, for the model; empty when it is accepted. */
    Optional<String> problem(String answer);
}
