package dev.agentloop.loop;

import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunResult;

/** A step behind the loop: a plan is built, finished work is judged. */
public interface FollowUp {
    /**
     * The result that counts from here on; {@code result} itself where there is nothing to do.
     *
     * @param result of the loop, or of the follow-up before this one
     */
    RunResult after(Run run, RunResult result);
}
