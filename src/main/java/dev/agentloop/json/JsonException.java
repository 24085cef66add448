package dev.agentloop.json;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.util.regex.Pattern;

/** Text that is not the JSON it should be; the message carries line and column. */
public final class JsonException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Where the library tells where something began, in words of its own. */
    private static final Pattern START = Pattern.compile(" \\(start marker at \\[[^\\]]*\\]\\)");

    private final boolean beyondLimits;

    JsonException(String problem, int line, int column) {
        super(problem + " (line " + line + ", column " + column + ")");
        beyondLimits = false;
    }

    JsonException(IOException cause) {
        super(describe(cause), cause);
        beyondLimits = cause instanceof StreamConstraintsException || cause instanceof BadNumber;
    }

    /** Whether it may well be JSON, but with a number or a depth that nobody can work with. */
    public boolean isBeyondLimits() {
        return beyondLimits;
    }

    /** A number as JSON writes them that we cannot hold. */
    static final class BadNumber extends JsonParseException {
        private static final long serialVersionUID = 1L;

        BadNumber(JsonParser parser, String problem) {
            super(parser, problem);
        }
    }

    private static String describe(IOException cause) {
        if (cause instanceof JsonProcessingException json && json.getLocation() != null) {
            return "%s (line %d, column %d)"
                    .formatted(
                            problem(json),
                            json.getLocation().getLineNr(),
                            json.getLocation().getColumnNr());
        }
        return cause instanceof JsonProcessingException json
                ? problem(json)
                : String.valueOf(cause.getMessage());
    }

    /** The library names its own methods where one of its limits is exceeded. */
    private static String problem(JsonProcessingException e) {
        String words = START.matcher(String.valueOf(e.getOriginalMessage())).replaceAll("");
        if (words.startsWith("Non-standard token")) {
            return "NaN and Infinity are no JSON";
        }
        if (!(e instanceof StreamConstraintsException)) {
            return words;
        }
        if (words.startsWith("Number")) {
            return "a number has too many digits";
        }
        if (words.startsWith("Document nesting")) {
            return "it is nested too deeply";
        }
        return words.startsWith("String") || words.startsWith("Property name")
                ? "a string in it is too long"
                : "it is too large";
    }
}
