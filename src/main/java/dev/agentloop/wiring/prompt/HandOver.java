package dev.agentloop.wiring.prompt;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.AgentProfile;
import dev.agentloop.hook.Hook;
import dev.agentloop.hook.HookBus;
import dev.agentloop.hook.HookEvent;
import dev.agentloop.hook.HookOutcome;
import dev.agentloop.hook.HookPoint;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.profile.Roster;
import dev.agentloop.profile.SwitchAgentTool;
import dev.agentloop.tool.Tool;
import dev.agentloop.wiring.run.RunSetup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Lets agents of the user hand over to each other, between two steps. */
public final class HandOver implements Hook {
    private static final String NAME = "switch_agent";

    private final AgentConfig config;
    private final Roster roster;
    private Consumer<Roster.Wish> stage = _ -> {};

    private HandOver(AgentConfig config, Roster roster) {
        this.config = config;
        this.roster = roster;
    }

    /** Empty for an agent that hands over to nobody, and for a plan that is built anyway. */
    public static Optional<HandOver> of(RunSetup setup) {
        Map<String, String> next = next(setup.config(), setup.agent());
        return next.isEmpty() || setup.mixed() || setup.demo()
                ? Optional.empty()
                : Optional.of(new HandOver(setup.config(), new Roster(setup.agent(), next)));
    }

    private static Map<String, String> next(AgentConfig config, String agent) {
        Map<String, String> next = new LinkedHashMap<>();
        List<String> names = config.agent(agent).flatMap(AgentProfile::switchTo).orElse(List.of());
        for (String name : names) {
            config.agent(name).ifPresent(other -> next.put(name, other.description().orElse("")));
        }
        return next;
    }

    public Tool<?> tool() {
        return new SwitchAgentTool(roster);
    }

    public void listenTo(HookBus bus) {
        bus.deciding(NAME, Set.of(HookPoint.STEP_END), this);
    }

    /** Who makes another agent work. */
    public void on(Consumer<Roster.Wish> change) {
        stage = change;
    }

    @Override
    public HookOutcome on(HookEvent event) {
        roster.takeWanted().ifPresent(this::make);
        return HookOutcome.goOn();
    }

    private void make(Roster.Wish wish) {
        roster.switchTo(wish.agent(), next(config, wish.agent()));
        stage.accept(wish);
    }

    /** Makes the one that a run which was killed had promised the model in its last step. */
    public void finishOpen(List<Message> history) {
        for (int i = history.size() - 1; i >= 0; i--) {
            if (history.get(i) instanceof Message.Assistant reply) {
                List<Message> results = history.subList(i + 1, history.size());
                reply.toolCalls().stream()
                        .filter(call -> call.name().equals(NAME) && isAnswered(call, results))
                        .map(HandOver::wish)
                        .filter(wish -> roster.next().containsKey(wish.agent()))
                        .reduce((first, last) -> last)
                        .ifPresent(this::make);
                return;
            }
        }
    }

    private static boolean isAnswered(ToolCall call, List<Message> results) {
        return results.stream()
                .anyMatch(it ->
                        it instanceof Message.Tool tool
                                && tool.callId().equals(call.id())
                                && !tool.result().isError());
    }

    private static Roster.Wish wish(ToolCall call) {
        try {
            JsonValue args = Json.parse(call.arguments());
            return new Roster.Wish(args.at("agent").textOr(""), args.at("fresh").isTrue());
        } catch (JsonException e) {
            return new Roster.Wish("", false); // nobody
        }
    }
}
