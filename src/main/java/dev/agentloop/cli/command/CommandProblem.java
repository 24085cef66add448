package dev.agentloop.cli.command;

import dev.agentloop.cli.terminal.Streams;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.LlmException;
import dev.agentloop.output.SafeText;
import dev.agentloop.session.SessionException;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a command came to nothing.
 *
 * @param code the words of {@code errors[].code}
 * @param retryAfter how long the provider asks to wait
 */
public record CommandProblem(
        ExitCode exit,
        String code,
        String message,
        boolean retryable,
        Optional<Duration> retryAfter) {

    public static CommandProblem of(LlmException e) {
        boolean auth = e instanceof LlmException.Unauthorized;
        return new CommandProblem(
                auth ? ExitCode.AUTH_ERROR : ExitCode.FAILED,
                e.code(),
                String.valueOf(e.getMessage()),
                e.isRetryable(),
                e instanceof LlmException.Unavailable later
                        ? later.retryAfter()
                        : Optional.empty());
    }

    public static CommandProblem of(AuthException e) {
        return of(ExitCode.AUTH_ERROR, "auth_error", e);
    }

    public static CommandProblem of(ConfigException e) {
        return of(ExitCode.CONFIG_ERROR, "config_error", e);
    }

    public static CommandProblem of(UsageException e) {
        return of(ExitCode.CONFIG_ERROR, "config_error", e);
    }

    public static CommandProblem of(SessionException e) {
        String message = String.valueOf(e.getMessage());
        boolean later = e instanceof SessionException.InUse;
        return new CommandProblem(
                ExitCode.FAILED, "session_error", message, later, Optional.empty());
    }

    /**
     * A signal came first.
     *
     * @param signal without SIG
     */
    public static CommandProblem stoppedBy(String signal) {
        String message = "stopped by SIG" + signal + " before there was an answer";
        return new CommandProblem(
                ExitCode.INTERRUPTED, "cancelled", message, false, Optional.empty());
    }

    private static CommandProblem of(ExitCode exit, String code, Exception e) {
        String message = String.valueOf(e.getMessage());
        return new CommandProblem(exit, code, message, false, Optional.empty());
    }

    /** Tells a person, and a script if it wants JSON; returns the exit code. */
    public int report(Streams streams, boolean json) throws IOException {
        tell(streams, "agent");
        if (json) {
            JsonValue object = new JsonValue(Map.of("error", error()));
            streams.print(Json.text(object::writeTo) + "\n");
        }
        return exit.code();
    }

    /**
     * Tells a person.
     *
     * @param who has it: the program or a provider
     */
    public void tell(Streams streams, String who) {
        streams.printError(who + ": " + SafeText.block(message) + "\n");
    }

    /** The object {@code error}. */
    public Map<String, @Nullable Object> error() {
        Map<String, @Nullable Object> error = new LinkedHashMap<>();
        error.put("code", code);
        error.put("message", Json.wellFormed(message));
        error.put("retryable", retryable);
        error.put("retry_after_s", retryAfter.map(Duration::toSeconds).orElse(null));
        return error;
    }
}
