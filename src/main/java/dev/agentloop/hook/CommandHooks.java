package dev.agentloop.hook;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.search.Glob;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Runs the user's commands after each edit, in their order. */
public final class CommandHooks implements PostEditHooks {
    private final List<Hook> hooks = new ArrayList<>();
    private final ShellHook.Place place;
    private final ProcessRunner runner;
    private final Set<String> missing = ConcurrentHashMap.newKeySet();

    private record Hook(HookCommand command, CommandTemplate template, List<Glob> globs) {
        boolean speaksAbout(String path) {
            return globs.isEmpty() || globs.stream().anyMatch(glob -> glob.matches(path));
        }
    }

    /**
     * @param place where hooks run
     */
    public CommandHooks(List<HookCommand> commands, ShellHook.Place place, ProcessRunner runner) {
        for (HookCommand command : commands) {
            List<Glob> globs = command.filePatterns().stream().map(Glob::of).toList();
            hooks.add(new Hook(command, CommandTemplate.parse(command.command()), globs));
        }
        this.place = place;
        this.runner = runner;
    }

    @Override
    public List<HookReport> afterEdit(String path, Cancellation cancellation) {
        List<HookReport> reports = new ArrayList<>();
        for (Hook hook : hooks) {
            boolean silent = missing.contains(hook.command().name());
            if (!silent && hook.speaksAbout(path) && !cancellation.isCancelled()) {
                reports.add(run(hook, path, cancellation));
            }
        }
        return reports;
    }

    private HookReport run(Hook hook, String path, Cancellation cancellation) {
        HookCommand command = hook.command();
        Map<String, String> variables = place.variables(command.name(), HookPoint.POST_EDIT);
        variables.put("AGENT_EDITED_FILE", path);
        variables.put("ARCHITECT_EDITED_FILE", path);
        CommandRequest request =
                new CommandRequest(
                        hook.template().argv(path), place.root(), command.timeout(), variables);
        try {
            return report(command, path, runner.run(request, cancellation));
        } catch (IOException e) {
            missing.add(command.name());
            String output = "cannot start: " + e.getMessage();
            return new HookReport(command.name(), path, HookOutput.NO_CODE, Duration.ZERO, output);
        }
    }

    /** A program that is not there will not be there for the next edit either: said once. */
    private HookReport report(HookCommand command, String path, CommandOutcome outcome) {
        HookOutput output = HookOutput.of(outcome, command.timeout());
        String text = output.text();
        if (output.neverStarted()) {
            missing.add(command.name());
            text = text + "; this hook is skipped from now on";
        }
        return new HookReport(command.name(), path, output.code(), outcome.took(), text);
    }
}
