package dev.agentloop.wiring;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.HookConfig;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.hook.CommandHooks;
import dev.agentloop.hook.HookBus;
import dev.agentloop.hook.HookCommand;
import dev.agentloop.hook.HookPoint;
import dev.agentloop.hook.PostEditHooks;
import dev.agentloop.hook.ShellHook;
import dev.agentloop.loop.run.RunHooks;
import dev.agentloop.replay.Tape;
import dev.agentloop.wiring.prompt.DemoProject;
import dev.agentloop.wiring.run.RunSetup;
import dev.agentloop.wiring.run.RunSurroundings;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/** The user's hooks. */
final class Hooks {
    private static final String STARTED_BY_HOOK = "AGENT_HOOK"; // set for what a hook runs

    private Hooks() {}

    /** Refuses commands that no hook could be made of. */
    static void check(AgentConfig config) {
        config.hooks().postEdit().forEach(Hooks::command);
        config.hooks().others().forEach(Hooks::spec);
    }

    /** A hook that starts this program must not start itself again through it. */
    private static boolean areOff(RunSurroundings around) {
        return around.environment().containsKey(STARTED_BY_HOOK);
    }

    /**
     * The enabled hooks of all moments but the one after an edit.
     *
     * @param hide leaves out of a text what the model must not see
     */
    static RunHooks of(
            RunSetup setup,
            RunSurroundings around,
            Path root,
            UnaryOperator<String> hide,
            PromptAssembly prompt) {
        HookBus bus = bus(setup, around, root);
        prompt.listenTo(bus);
        RunHooks hooks = new RunHooks(bus, around.journal(), around.events(), around.time(), hide);
        AgentConfig.Hooks wanted = setup.config().hooks();
        if (areOff(around) && !(wanted.postEdit().isEmpty() && wanted.others().isEmpty())) {
            hooks.warnAtStart(
                    "no hook runs: this run was started by the hook "
                            + around.environment().get(STARTED_BY_HOOK)
                            + " (AGENT_HOOK is set)");
        }
        return hooks;
    }

    /** The enabled hooks around tools: they hold for whoever calls those in a run. */
    static HookBus ofTools(RunSetup setup, RunSurroundings around, Path root) {
        List<HookConfig.ForEvent> hooks =
                setup.config().hooks().others().stream()
                        .filter(hook -> isOfTools(hook.event()))
                        .toList();
        return bus(new HookBus(), hooks, setup, around, root);
    }

    private static boolean isOfTools(String event) {
        return event.equals(HookPoint.PRE_TOOL.wireName())
                || event.equals(HookPoint.POST_TOOL.wireName());
    }

    private static HookBus bus(RunSetup setup, RunSurroundings around, Path root) {
        HookBus bus = around.tape() == Tape.NONE ? new HookBus() : new HookBus(around.tape());
        return bus(bus, setup.config().hooks().others(), setup, around, root);
    }

    private static HookBus bus(
            HookBus bus,
            List<HookConfig.ForEvent> hooks,
            RunSetup setup,
            RunSurroundings around,
            Path root) {
        if (hooks.isEmpty() || areOff(around) || setup.demo()) {
            return bus;
        }
        ShellHook.Place place = place(around, root);
        for (HookConfig.ForEvent hook : hooks) {
            if (hook.enabled()) {
                bus.command(new ShellHook(spec(hook), place, around.processes()));
            }
        }
        return bus;
    }

    private static ShellHook.Place place(RunSurroundings around, Path root) {
        return new ShellHook.Place(root, around.journal().sessionId());
    }

    /** The enabled hooks that run after an edit. */
    static PostEditHooks postEdit(RunSetup setup, RunSurroundings around, Path root) {
        List<HookCommand> commands =
                setup.demo()
                        ? DemoProject.HOOKS
                        : setup.config().hooks().postEdit().stream()
                                .filter(HookConfig::enabled)
                                .map(Hooks::command)
                                .toList();
        return commands.isEmpty() || areOff(around)
                ? PostEditHooks.NONE
                : new CommandHooks(commands, place(around, root), around.processes());
    }

    private static HookCommand command(HookConfig hook) {
        try {
            return new HookCommand(
                    hook.name(), hook.command(), hook.filePatterns(), hook.timeout());
        } catch (IllegalArgumentException e) {
            throw refused("post_edit", hook.name(), e, "Let {file} be a word of its own.");
        }
    }

    private static ShellHook.Spec spec(HookConfig.ForEvent hook) {
        HookPoint point = HookPoint.named(hook.event()).orElseThrow();
        try {
            return new ShellHook.Spec(
                    point,
                    hook.name(),
                    hook.command(),
                    hook.tools(),
                    hook.timeout(),
                    hook.failsOpen());
        } catch (IllegalArgumentException e) {
            throw refused(hook.event(), hook.name(), e, "Mend the command line.");
        }
    }

    private static ConfigException refused(
            String event, String name, IllegalArgumentException why, String remedy) {
        String problem = "the command of " + name + " cannot be used: " + why.getMessage();
        return new ConfigException("hooks." + event, problem, remedy, "");
    }
}
