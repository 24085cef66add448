package dev.agentloop.wiring;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.AgentProfile;
import dev.agentloop.config.BuiltInAgents;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.control.Cancellation;
import dev.agentloop.loop.call.ToolPorts;
import dev.agentloop.loop.run.Run;
import dev.agentloop.message.ToolResult;
import dev.agentloop.replay.Tape;
import dev.agentloop.subagent.Delegate;
import dev.agentloop.subagent.DispatchTool;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.wiring.run.RunSetup;
import dev.agentloop.wiring.run.RunSurroundings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Has other agents work for one that is at work: that of the run, or one of those. Agents that only
 * read work side by side; those that may do more do so one after another.
 */
final class Delegation implements Delegate {
    /**
     * Those of ours that can be asked. What stands in their files is not read before one is: that
     * would cost each start a parser.
     */
    static final Map<String, String> OURS =
            Map.of(
                    "build", "Does a task, with all your tools.",
                    "explore", "Answers questions about the code, changes nothing.",
                    "review", "Reviews code and reports findings, changes nothing.",
                    "test", "Runs tests and checks, says what fails and why, edits nothing.");

    private static final int MOST_DESCRIPTION = 200; // characters of one agent's
    private static final long LOOK_MILLIS = 100; // whether the run still goes on

    private final RunSetup setup;
    private final RunSurroundings around;
    private final Level level;
    private final List<Tool<?>> shared;
    private final Semaphore acting = new Semaphore(1, true);
    private volatile @Nullable Superior superior;

    /**
     * Where it stands.
     *
     * @param depth of the agent that asks; 0 for that of the run
     * @param path ids of the calls that lead to it, with slashes between them; empty for the run's
     * @param asking held while a person is asked: one question at a time
     */
    record Level(int depth, String path, Object asking) {
        static Level first() {
            return new Level(0, "", new Object());
        }

        Level below(String callId) {
            return new Level(depth + 1, pathTo(callId), asking);
        }

        String pathTo(String callId) {
            return path.isEmpty() ? callId : path + "/" + callId;
        }
    }

    /**
     * The agent that asks, at work.
     *
     * @param remaining what is left of its time; gives null without a limit
     */
    record Superior(
            Run run,
            Supplier<ToolPorts> ports,
            PromptAssembly assembly,
            Supplier<@Nullable Duration> remaining) {}

    /**
     * @param shared tools that are not made anew for each agent
     */
    Delegation(RunSetup setup, RunSurroundings around, Level level, List<Tool<?>> shared) {
        this.setup = setup;
        this.around = around;
        this.level = level;
        this.shared = List.copyOf(shared);
    }

    /**
     * Whether a run has it. A cassette could not hold what several agents do at once, and a plan
     * that is built anyway has two policies.
     */
    static boolean isPossible(RunSetup setup, RunSurroundings around) {
        return !setup.demo() && !setup.mixed() && around.tape() == Tape.NONE;
    }

    Tool<?> tool() {
        return new DispatchTool(agents(setup.config()), level.depth(), this);
    }

    /** Ours, as the user has changed them, and all of the user's own. */
    private static Map<String, String> agents(AgentConfig config) {
        Map<String, String> agents = new LinkedHashMap<>(OURS);
        config.agents()
                .forEach((name, agent) -> {
                    if (OURS.containsKey(name) || !BuiltInAgents.NAMES.contains(name)) {
                        agent.description().ifPresent(line -> agents.put(name, cut(line)));
                        agents.putIfAbsent(name, "");
                    }
                });
        return agents;
    }

    private static String cut(String line) {
        String flat = line.replaceAll("\\s+", " ");
        return flat.length() <= MOST_DESCRIPTION ? flat : flat.substring(0, MOST_DESCRIPTION) + "…";
    }

    /** From now on this agent asks. */
    void leads(Superior at) {
        superior = at;
    }

    @Override
    public ToolResult dispatch(String agent, String task, ToolContext context) {
        Superior above = superior;
        if (above == null) {
            return ToolResult.error("No agent is at work here that another could work for.");
        }
        try {
            ChildRun child =
                    new ChildRun(
                            setup,
                            around,
                            above,
                            level,
                            new ChildRun.Job(agent, task, context, shared));
            return child.mayAct() ? alone(child, context.cancellation()) : child.work();
        } catch (ConfigException e) {
            return ToolResult.error("The agent " + agent + " cannot work: " + e.getMessage());
        }
    }

    private ToolResult alone(ChildRun child, Cancellation cancellation) {
        try {
            while (!acting.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (cancellation.isCancelled()) {
                    return ToolResult.cancelled("Not started: the run is ending.");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ToolResult.cancelled("Not started: the run is ending.");
        }
        try {
            return child.work();
        } finally {
            acting.release();
        }
    }

    /** Steps that an agent has when nobody says: enough for a part of a task. */
    static int maxSteps(AgentConfig config, String agent) {
        int most = config.limits().maxSteps();
        int own =
                config.agent(agent)
                        .map(AgentProfile::limits)
                        .map(limits -> limits.maxSteps().orElse(ChildRun.USUAL_STEPS))
                        .orElse(ChildRun.USUAL_STEPS);
        return Math.min(most, own);
    }

    /** What is left of the asking agent's time, or less where the agent's own is shorter. */
    static Optional<Duration> timeout(AgentConfig config, String agent, @Nullable Duration left) {
        Optional<Duration> own = config.agent(agent).flatMap(it -> it.limits().timeout());
        if (left == null) {
            return own;
        }
        return Optional.of(own.filter(time -> time.compareTo(left) < 0).orElse(left));
    }
}
