package dev.agentloop.hook;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.search.Glob;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Runs the user's commands after each edit, in their order. */
public final class CommandHooks implements PostEditHooks {
    private static final int MAX_OUTPUT = 4 * 1024; // bytes told to the model
    private static final int HEAD = 3 * 1024; // linters say the important things first
    private static final int NOT_EXECUTABLE = 126;
    private static final int NOT_FOUND = 127;
    private static final int NO_CODE = -1;

    private final List<Hook> hooks = new ArrayList<>();
    private final Path root;
    private final ProcessRunner runner;
    private final Set<String> missing = ConcurrentHashMap.newKeySet();

    private record Hook(HookCommand command, CommandTemplate template, List<Glob> globs) {
        boolean speaksAbout(String path) {
            return globs.isEmpty() || globs.stream().anyMatch(glob -> glob.matches(path));
        }
    }

    /**
     * @param root the workspace; hooks run there
     */
    public CommandHooks(List<HookCommand> commands, Path root, ProcessRunner runner) {
        for (HookCommand command : commands) {
            List<Glob> globs = command.filePatterns().stream().map(Glob::of).toList();
            hooks.add(new Hook(command, CommandTemplate.parse(command.command()), globs));
        }
        this.root = root;
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
        Map<String, String> variables =
                Map.of("AGENT_EDITED_FILE", path, "ARCHITECT_EDITED_FILE", path);
        CommandRequest request =
                new CommandRequest(hook.template().argv(path), root, command.timeout(), variables);
        try {
            return report(command, path, runner.run(request, cancellation));
        } catch (IOException e) {
            missing.add(command.name());
            String output = "cannot start: " + e.getMessage();
            return new HookReport(command.name(), path, NO_CODE, Duration.ZERO, output);
        }
    }

    private HookReport report(HookCommand command, String path, CommandOutcome outcome) {
        String printed = printed(outcome);
        int code = outcome.exitCode();
        String output =
                switch (outcome.ending()) {
                    case TIMED_OUT ->
                            capped(printed, "timed out after " + seconds(command.timeout()));
                    case CANCELLED -> capped(printed, "stopped");
                    case EXITED -> capped(printed, startTrouble(command, code).orElse(""));
                };
        boolean ended = outcome.ending() == CommandOutcome.Ending.EXITED;
        boolean started = code != NOT_FOUND && code != NOT_EXECUTABLE;
        return new HookReport(
                command.name(), path, ended && started ? code : NO_CODE, outcome.took(), output);
    }

    /** A program that is not there will not be there for the next edit either: said once. */
    private Optional<String> startTrouble(HookCommand command, int code) {
        if (code != NOT_FOUND && code != NOT_EXECUTABLE) {
            return Optional.empty();
        }
        missing.add(command.name());
        String why = code == NOT_FOUND ? "command not found" : "not executable";
        return Optional.of("cannot start: " + why + "; this hook is skipped from now on");
    }

    private static String printed(CommandOutcome outcome) {
        String both = outcome.stdout().text().strip() + "\n" + outcome.stderr().text().strip();
        return both.strip();
    }

    private static String capped(String printed, String note) {
        String end = note.isEmpty() ? "" : "\n" + note;
        byte[] bytes = (printed + end).getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= MAX_OUTPUT) {
            return (printed + end).strip();
        }
        String cut = "\n[… %d bytes in all …]\n".formatted(bytes.length);
        int tail = MAX_OUTPUT - HEAD - cut.getBytes(StandardCharsets.UTF_8).length - 8;
        return whole(bytes, 0, HEAD) + cut + whole(bytes, bytes.length - tail, tail);
    }

    /** Part of a text without the halves of characters at its ends. */
    private static String whole(byte[] bytes, int from, int length) {
        int start = from;
        int end = from + length;
        while (start < end && (bytes[start] & 0xC0) == 0x80) {
            start++;
        }
        while (end < bytes.length && end > start && (bytes[end] & 0xC0) == 0x80) {
            end--;
        }
        return new String(bytes, start, end - start, StandardCharsets.UTF_8);
    }

    private static String seconds(Duration timeout) {
        return timeout.toMillis() / 1000.0 + " s";
    }
}
