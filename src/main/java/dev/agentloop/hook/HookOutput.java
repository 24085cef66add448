package dev.agentloop.hook;

import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.OutputText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * What is told of a hook's command that has ended.
 *
 * @param code its exit code; -1 when there is none
 * @param text what it printed, capped, and what went wrong
 * @param neverStarted whether there is no such program, or it cannot be run
 */
record HookOutput(int code, String text, boolean neverStarted) {
    static final int NO_CODE = -1;
    private static final int MAX_OUTPUT = 4 * 1024; // bytes told to the model
    private static final int HEAD = 3 * 1024; // linters say the important things first
    private static final int NOT_EXECUTABLE = 126;
    private static final int NOT_FOUND = 127;

    static HookOutput of(CommandOutcome outcome, Duration timeout) {
        String printed = printed(outcome);
        int code = outcome.exitCode();
        return switch (outcome.ending()) {
            case TIMED_OUT -> without(joined(printed, "timed out after " + seconds(timeout)));
            case CANCELLED -> without(joined(printed, "stopped"));
            case EXITED ->
                    switch (code) {
                        case NOT_FOUND -> missing(printed, "command not found");
                        case NOT_EXECUTABLE -> missing(printed, "not executable");
                        default -> new HookOutput(code, capped(printed), false);
                    };
        };
    }

    private static HookOutput missing(String printed, String why) {
        return new HookOutput(NO_CODE, capped(joined(printed, "cannot start: " + why)), true);
    }

    private static HookOutput without(String text) {
        return new HookOutput(NO_CODE, capped(text), false);
    }

    private static String joined(String printed, String note) {
        return (printed + "\n" + note).strip();
    }

    private static String printed(CommandOutcome outcome) {
        String both = outcome.stdout().text().strip() + "\n" + outcome.stderr().text().strip();
        return OutputText.clean(both.strip());
    }

    /** A text of at most 4 KB, with its beginning and its end. */
    static String capped(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= MAX_OUTPUT) {
            return text;
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
