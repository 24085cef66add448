package dev.agentloop.wiring;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.AgentProfile;
import dev.agentloop.hook.Hook;
import dev.agentloop.hook.HookBus;
import dev.agentloop.hook.HookEvent;
import dev.agentloop.hook.HookOutcome;
import dev.agentloop.hook.HookPoint;
import dev.agentloop.profile.Roster;
import dev.agentloop.profile.SwitchAgentTool;
import dev.agentloop.tool.Tool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Lets agents of the user hand over to each other, between two steps. */
final class HandOver implements Hook {
    private static final String NAME = "switch_agent";

    private final AgentConfig config;
    private final Roster roster;
    private Consumer<Roster.Wish> stage = _ -> {};

    private HandOver(AgentConfig config, Roster roster) {
        this.config = config;
        this.roster = roster;
    }

    /** Empty for an agent that hands over to nobody, and for a plan that is built anyway. */
    static Optional<HandOver> of(RunSetup setup) {
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

    Tool<?> tool() {
        return new SwitchAgentTool(roster);
    }

    void listenTo(HookBus bus) {
        bus.deciding(NAME, Set.of(HookPoint.STEP_END), this);
    }

    /** Who makes another agent work. */
    void on(Consumer<Roster.Wish> change) {
        stage = change;
    }

    @Override
    public HookOutcome on(HookEvent event) {
        roster.takeWanted()
                .ifPresent(wish -> {
                    roster.become(wish.agent(), next(config, wish.agent()));
                    stage.accept(wish);
                });
        return HookOutcome.goOn();
    }
}
