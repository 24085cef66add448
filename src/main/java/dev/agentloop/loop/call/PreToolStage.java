package dev.agentloop.loop.call;

import dev.agentloop.hook.HookBus;
import dev.agentloop.hook.HookEvent;
import dev.agentloop.hook.HookOutcome;
import dev.agentloop.hook.HookPoint;
import dev.agentloop.loop.run.Run;
import dev.agentloop.message.ToolCall;
import dev.agentloop.permission.Decision;
import dev.agentloop.permission.Verdict;
import dev.agentloop.tool.call.PreparedCall;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Asks the hooks about a call before it is judged. They may stop it, have a person asked, or write
 * other arguments; those are validated here and judged by the policy like the model's own.
 */
final class PreToolStage {
    private static final String RULE = "hooks.pre_tool";
    private static final int MOST_ECHOED = 2000; // characters of what the model has not written

    private final ToolPorts ports;
    private final HookStage words;
    private final Map<String, Ruling> rulings = new ConcurrentHashMap<>();

    /** What the hooks made of one call. */
    sealed interface Ruling {
        /** Nothing that the policy has not to say. */
        record Pass() implements Ruling {}

        /** A person is to be asked. */
        record Asked(Decision decision) implements Ruling {}

        /** It is not allowed. */
        record Denied(Decision decision) implements Ruling {}

        /** It is left out. */
        record Skipped(String reason) implements Ruling {}
    }

    PreToolStage(ToolPorts ports, HookStage words) {
        this.ports = ports;
        this.words = words;
    }

    /** Whether a hook wants to be asked about one of the calls. */
    boolean speaksAbout(List<PreparedCall> calls) {
        return ports.run().hooks().hears(HookPoint.PRE_TOOL)
                && calls.stream()
                        .filter(PreparedCall.Ready.class::isInstance)
                        .map(call -> new HookEvent.ToolReady(call.call()))
                        .anyMatch(event -> !ports.run().hooks().deciders(event).isEmpty());
    }

    /**
     * The call as the hooks leave it; each call is asked about once. What the policy denies anyway
     * stays denied: no hook is asked whether it would rather have it otherwise.
     */
    PreparedCall screen(PreparedCall one, Run run) {
        if (!(one instanceof PreparedCall.Ready<?> ready)
                || !ports.run().hooks().hears(HookPoint.PRE_TOOL)
                || rulings.containsKey(one.call().id())
                || ports.judging().policy().decide(ready).verdict() == Verdict.DENY) {
            return one;
        }
        rulings.put(one.call().id(), new Ruling.Pass());
        HookEvent event = new HookEvent.ToolReady(one.call());
        ports.run().hooks().observe(event, one.call().id(), run.work());
        PreparedCall.Ready<?> now = ready;
        for (HookBus.Listener hook : ports.run().hooks().deciders(event)) {
            Optional<PreparedCall.Ready<?>> next = after(hook, now, run);
            if (next.isEmpty()) {
                return now;
            }
            now = next.get();
        }
        return now;
    }

    /** The call for the next hook; empty if no other need be asked. */
    private Optional<PreparedCall.Ready<?>> after(
            HookBus.Listener hook, PreparedCall.Ready<?> ready, Run run) {
        ToolCall call = ready.call();
        HookOutcome said =
                ports.run()
                        .hooks()
                        .ask(hook, new HookEvent.ToolReady(call), call.id(), run.work())
                        .outcome();
        String name = hook.name();
        return switch (said) {
            case HookOutcome.Continue(String note) -> {
                words.note(call, name, note);
                yield Optional.of(ready);
            }
            case HookOutcome.Ask(String reason) -> {
                Decision ask = new Decision(Verdict.ASK, rule(name), reason);
                rulings.put(call.id(), new Ruling.Asked(ask));
                yield Optional.of(ready);
            }
            case HookOutcome.Rewrite(String arguments, String note) -> {
                words.note(call, name, note);
                yield rewritten(name, ready, arguments);
            }
            case HookOutcome.Skip(String reason) -> {
                rulings.put(call.id(), new Ruling.Skipped(reason));
                yield Optional.empty();
            }
            case HookOutcome.Deny(String reason) -> deny(name, call, reason);
            case HookOutcome.Terminate(String reason) -> {
                ports.run().hooks().stop(run, name, reason);
                yield Optional.empty();
            }
            case HookOutcome.Inject _, HookOutcome.Compact _, HookOutcome.Amend _ ->
                    throw new IllegalStateException("not understood before a tool: " + said);
        };
    }

    private static String shortened(String arguments) {
        return arguments.length() <= MOST_ECHOED
                ? arguments
                : arguments.substring(0, MOST_ECHOED) + "…";
    }

    private Optional<PreparedCall.Ready<?>> rewritten(
            String hook, PreparedCall.Ready<?> ready, String arguments) {
        ToolCall old = ready.call();
        ToolCall call = new ToolCall(old.id(), old.name(), arguments);
        return switch (ports.registry().prepare(call, false)) {
            case PreparedCall.Ready<?> other -> {
                words.note(old, hook, "It changed the arguments to: " + shortened(arguments));
                yield Optional.of(other);
            }
            case PreparedCall.Refused refused ->
                    deny(
                            hook,
                            old,
                            "the arguments that the hook wrote cannot be used: "
                                    + refused.result().text());
        };
    }

    private Optional<PreparedCall.Ready<?>> deny(String hook, ToolCall call, String reason) {
        rulings.put(call.id(), new Ruling.Denied(new Decision(Verdict.DENY, rule(hook), reason)));
        return Optional.empty();
    }

    private static String rule(String hook) {
        return RULE + "(" + hook + ")";
    }

    /** What was found about a call; passes if it was not asked about. */
    Ruling ruling(ToolCall call) {
        return rulings.getOrDefault(call.id(), new Ruling.Pass());
    }

    /** Ids may come again in a later step. */
    void forget(ToolCall call) {
        rulings.remove(call.id());
    }
}
