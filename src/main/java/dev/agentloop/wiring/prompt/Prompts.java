package dev.agentloop.wiring.prompt;

import dev.agentloop.config.BuiltInAgents;
import dev.agentloop.loop.run.LoopTexts;
import dev.agentloop.loop.run.StopReason;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Prose for the model, from the jar's {@code prompts} folder; each text is read when needed. */
public final class Prompts implements LoopTexts {
    @Override
    public String closing(StopReason reason) {
        return switch (reason) {
            case BUDGET_EXCEEDED -> read("loop/budget_exceeded");
            case TIMEOUT -> read("loop/timeout");
            case CONTEXT_FULL -> read("loop/context_full");
            case MAX_TOOL_CALLS -> read("loop/max_tool_calls");
            case LOOP_DETECTED -> read("loop/loop_detected");
            default -> read("loop/max_steps");
        };
    }

    @Override
    public String summarize() {
        return read("loop/summarize");
    }

    @Override
    public String goOn() {
        return read("loop/continue");
    }

    @Override
    public String nudge() {
        return read("loop/nudge");
    }

    @Override
    public String correctAnswer(String problem) {
        return read("loop/correct_answer").formatted(problem);
    }

    @Override
    public String goesInCircles() {
        return read("loop/goes_in_circles");
    }

    @Override
    public String finishCheck() {
        return read("loop/finish_check");
    }

    @Override
    public String planReminder() {
        return read("loop/plan_reminder");
    }

    @Override
    public String planSoFar() {
        return read("loop/plan_so_far");
    }

    @Override
    public String failedChecks() {
        return read("loop/failed_checks");
    }

    /** Says what the final answer must be. */
    public String answerSchema(String schema) {
        return read("loop/answer_schema") + "\n" + schema.strip();
    }

    /** Instructions of the model that judges finished work. */
    public String judge() {
        return read("evaluation/judge");
    }

    /** What stands above what was found missing. */
    public String correction() {
        return read("evaluation/correct");
    }

    /** What tells the building agent to carry out the plan above. */
    public String goAhead() {
        return read("loop/go_ahead");
    }

    /** What a model is told when only the connection is tested. */
    public String modelTest() {
        return read("models/test");
    }

    /** And what it is asked then. */
    public String modelTestQuestion() {
        return read("models/hello");
    }

    /** Description of the one tool that such a test declares. */
    public String modelTestTool() {
        return read("models/current_time");
    }

    /** What stands above the guidance of the user and the project. */
    public String guidance() {
        return read("system/guidance");
    }

    /** The same, of a project that is not trusted. */
    public String quoted() {
        return read("system/quoted");
    }

    /** What stands above the names of skills. */
    public String skills() {
        return read("system/skills");
    }

    /** What stands above notes of earlier runs. */
    public String memory() {
        return read("system/memory");
    }

    /** The same, of notes that nobody has confirmed. */
    public String unconfirmed() {
        return read("system/unconfirmed");
    }

    /** What an agent is told that works for another one. */
    public String subagent() {
        return read("system/subagent");
    }

    /** Instructions of a built-in agent. */
    public String agent(String name) {
        return BuiltInAgents.prompt(name);
    }

    private static String read(String name) {
        return resource("/prompts/" + name + ".md").strip();
    }

    /** A text resource of the jar; a missing one is a broken build. */
    static String resource(String path) {
        try (InputStream in = Prompts.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("not in the jar: " + path);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
