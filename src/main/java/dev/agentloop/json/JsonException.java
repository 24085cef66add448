package dev.agentloop.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;

/** Text that is not the JSON it should be; the message carries line and column. */
public final class JsonException extends Exception {
    private static final long serialVersionUID = 1L;

    JsonException(String problem, int line, int column) {
        super(problem + " (line " + line + ", column " + column + ")");
    }

    JsonException(IOException cause) {
        super(describe(cause), cause);
    }

    private static String describe(IOException cause) {
        if (cause instanceof JsonProcessingException json && json.getLocation() != null) {
            return "%s (line %d, column %d)"
                    .formatted(
                            json.getOriginalMessage(),
                            json.getLocation().getLineNr(),
                            json.getLocation().getColumnNr());
        }
        return String.valueOf(cause.getMessage());
    }
}
