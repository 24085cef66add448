package dev.agentloop.loop.run;

/**
 * What the program says to the model, kept as prose outside the code.
 *
 * <p><b>Contract.</b> Never empty.
 */
public interface LoopTexts {
    /** Asks for a summary because the run ends for this reason. */
    String closing(StopReason reason);

    /** Asks for a summary that old steps are replaced by. */
    String summarize();

    /** Asks to go on where a reply was cut. */
    String goOn();

    /** Asks for an answer after an empty one. */
    String nudge();

    /** Says that the same calls were made again with the same results. */
    String goesInCircles();

    /** Says that checks failed when the model said it was done. */
    String failedChecks();

    /** Asks for a check of files that were changed after the last command that succeeded. */
    String finishCheck();

    /** Reminds of a plan after many steps without one. */
    String planReminder();

    /** What stands above the plan after old steps were left out. */
    String planSoFar();

    /** Asks for another answer because of this problem of the last one. */
    String correctAnswer(String problem);
}
