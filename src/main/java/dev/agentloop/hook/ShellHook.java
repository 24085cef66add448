package dev.agentloop.hook;

import dev.agentloop.control.Cancellation;
import dev.agentloop.message.ToolCall;
import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.search.Glob;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A user's command that is told about an event and may decide about it. */
public final class ShellHook implements HookBus.Listener {
    private static final Duration TO_END = Duration.ofSeconds(5); // after its timeout

    private final Spec spec;
    private final Place place;
    private final ProcessRunner runner;
    private final CommandTemplate template;
    private final List<Glob> tools;
    private volatile boolean missing;

    /**
     * A hook as the user wrote it.
     *
     * @param tools globs for names of tools; none speaks about all
     * @param failsOpen whether the run goes on where a failure would stop something
     */
    public record Spec(
            HookPoint point,
            String name,
            String command,
            List<String> tools,
            Duration timeout,
            boolean failsOpen) {
        /** Refuses a command that cannot be split, or that names a file where there is none. */
        public Spec {
            CommandTemplate.parse(command);
            if (command.contains("{file}")) {
                throw new IllegalArgumentException(
                        "{file} is known to post_edit only; the event is read from standard input");
            }
            tools = List.copyOf(tools);
        }
    }

    /** Where hooks run: the workspace, and the session they are told about. */
    public record Place(Path root, String sessionId) {
        /** What every hook finds in its environment; the caller may add to it. */
        Map<String, String> variables(String hook, HookPoint point) {
            Map<String, String> variables = new HashMap<>();
            variables.put("AGENT_HOOK", hook);
            variables.put("AGENT_HOOK_EVENT", point.wireName());
            variables.put("AGENT_SESSION_ID", sessionId);
            variables.put("AGENT_WORKSPACE", root.toString());
            variables.put("CLAUDE_PROJECT_DIR", root.toString());
            return variables;
        }
    }

    public ShellHook(Spec spec, Place place, ProcessRunner runner) {
        this.spec = spec;
        this.place = place;
        this.runner = runner;
        this.template = CommandTemplate.parse(spec.command());
        this.tools = spec.tools().stream().map(Glob::of).toList();
    }

    HookPoint point() {
        return spec.point();
    }

    @Override
    public String name() {
        return spec.name();
    }

    @Override
    public Duration patience() {
        return spec.timeout().plus(TO_END);
    }

    /** A program that is not there is looked for once, unless its answer is needed. */
    @Override
    public boolean hears(HookEvent event) {
        return event.point() == spec.point()
                && !(missing && onFailure("") instanceof HookOutcome.Continue)
                && switch (event) {
                    case HookEvent.ToolReady(ToolCall call) -> isAbout(call);
                    case HookEvent.ToolEnded(ToolCall call, _) -> isAbout(call);
                    default -> true;
                };
    }

    private boolean isAbout(ToolCall call) {
        return tools.isEmpty() || tools.stream().anyMatch(glob -> glob.matches(call.name()));
    }

    @Override
    public HookAnswer ask(HookEvent event, Cancellation cancellation) {
        CommandRequest request =
                new CommandRequest(
                                template.argv(""),
                                place.root(),
                                spec.timeout(),
                                place.variables(spec.name(), event.point()))
                        .reading(HookInput.of(event, place));
        try {
            return answer(runner.run(request, cancellation));
        } catch (IOException e) {
            String why = "cannot start: " + e.getMessage();
            return failed(why, new HookOutput(HookOutput.NO_CODE, why, true), Duration.ZERO);
        }
    }

    private HookAnswer answer(CommandOutcome outcome) {
        HookOutput output = HookOutput.of(outcome, spec.timeout());
        Duration took = outcome.took();
        if (output.code() == HookOutput.NO_CODE) {
            return failed(lastLine(output.text()), output, took);
        }
        try {
            HookOutcome said = HookReply.read(spec.point(), outcome);
            return new HookAnswer(spec.name(), said, "", report(output, took));
        } catch (HookReply.Unclear e) {
            return failed(e.reason(), output, took);
        }
    }

    private HookAnswer failed(String why, HookOutput output, Duration took) {
        missing |= output.neverStarted();
        HookReport report =
                output.code() == 0 // it ended well, and yet said nothing that counts
                        ? report(new HookOutput(HookOutput.NO_CODE, why, false), took)
                        : report(output, took);
        return new HookAnswer(spec.name(), onFailure(why), why, report);
    }

    private HookOutcome onFailure(String why) {
        return spec.failsOpen() ? HookOutcome.goOn() : spec.point().onFailure(spec.name(), why);
    }

    private HookReport report(HookOutput output, Duration took) {
        return new HookReport(spec.name(), "", output.code(), took, output.text());
    }

    private static String lastLine(String text) {
        return text.substring(text.lastIndexOf('\n') + 1);
    }
}
