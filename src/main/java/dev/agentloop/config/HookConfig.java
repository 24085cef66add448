package dev.agentloop.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A command that runs after a file was changed.
 *
 * @param command {@code {file}} in it becomes one argument: the changed path
 * @param filePatterns globs; a hook without any speaks about every file
 */
public record HookConfig(
        String name, String command, List<String> filePatterns, Duration timeout, boolean enabled) {
    public HookConfig {
        filePatterns = filePatterns.isEmpty() ? List.of("*") : List.copyOf(filePatterns);
    }

    /** A hook as it was read; its keys are those of the table. */
    static HookConfig of(Map<?, ?> read) {
        return new HookConfig(
                text(read, "name"),
                text(read, "command"),
                texts(read, "file_patterns"),
                timeoutOf(read),
                isEnabled(read));
    }

    private static String text(Map<?, ?> read, String key) {
        return (String) Objects.requireNonNull(read.get(key), key);
    }

    private static List<String> texts(Map<?, ?> read, String key) {
        return read.get(key) instanceof List<?> list
                ? list.stream().map(String.class::cast).toList()
                : List.of();
    }

    private static Duration timeoutOf(Map<?, ?> read) {
        return (Duration) Objects.requireNonNull(read.get("timeout"));
    }

    private static boolean isEnabled(Map<?, ?> read) {
        return (Boolean) Objects.requireNonNull(read.get("enabled"));
    }

    /**
     * A command that runs at another moment.
     *
     * @param event name of the moment, as in the file
     * @param tools globs for names of tools; none: all
     * @param failsOpen whether the run goes on where a failure would stop something
     */
    public record ForEvent(
            String event,
            String name,
            String command,
            List<String> tools,
            Duration timeout,
            boolean enabled,
            boolean failsOpen) {
        public ForEvent {
            tools = List.copyOf(tools);
        }

        static ForEvent of(String event, Map<?, ?> read) {
            return new ForEvent(
                    event,
                    text(read, "name"),
                    text(read, "command"),
                    texts(read, "tools"),
                    timeoutOf(read),
                    isEnabled(read),
                    "allow".equals(read.get("on_failure")));
        }
    }
}
