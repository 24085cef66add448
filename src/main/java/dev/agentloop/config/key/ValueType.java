package dev.agentloop.config.key;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

/** What a key accepts. {@link Values} reads it, the schema and the documentation describe it. */
public sealed interface ValueType {
    /** For people: what is allowed. */
    String allowed();

    /**
     * A whole number.
     *
     * @param zeroIsNoLimit whether 0 is wider than any other value
     */
    record Whole(long min, long max, boolean zeroIsNoLimit) implements ValueType {
        @Override
        public String allowed() {
            return "a whole number from "
                    + min
                    + " to "
                    + max
                    + (zeroIsNoLimit ? "; 0 is no limit" : "");
        }
    }

    /**
     * A whole number, 0 for no limit, or the word {@code auto}.
     *
     * @param auto the least that the word can mean
     */
    record WholeOrAuto(long max, long auto) implements ValueType {
        /** The word. */
        public static final String AUTO = "auto";

        @Override
        public String allowed() {
            return AUTO + " or a whole number from 0 to " + max + "; 0 is no limit";
        }
    }

    /** US dollars. */
    record Money() implements ValueType {
        @Override
        public String allowed() {
            return "US dollars from 0 to 1000000, e.g. 2.50";
        }
    }

    /**
     * A duration.
     *
     * @param zeroIsNoLimit whether 0 is allowed besides min to max
     */
    record Span(Duration min, Duration max, boolean zeroIsNoLimit) implements ValueType {
        @Override
        public String allowed() {
            return "a duration from "
                    + Values.show(min)
                    + " to "
                    + Values.show(max)
                    + ", e.g. 90, 90s, 5m, 1h30m"
                    + (zeroIsNoLimit ? "; 0 is no limit" : "");
        }
    }

    /** {@code true} or {@code false}, in any spelling of YAML 1.1. */
    record Flag() implements ValueType {
        @Override
        public String allowed() {
            return "true or false";
        }
    }

    /** A decimal number between these two, both included. */
    record Decimal(BigDecimal min, BigDecimal max) implements ValueType {
        @Override
        public String allowed() {
            return "a number from " + min.toPlainString() + " to " + max.toPlainString();
        }
    }

    /** One of some words. */
    record Choice(List<String> words) implements ValueType {
        static Choice of(String... words) {
            return new Choice(List.of(words));
        }

        @Override
        public String allowed() {
            return "one of " + String.join(", ", words);
        }
    }

    /** Text of a certain form. */
    record Text(Form form) implements ValueType {
        @Override
        public String allowed() {
            return form.allowed;
        }
    }

    /** What a text must look like, beyond being one. */
    enum Form {
        ANY("text"),
        MODEL("PROVIDER/MODEL, e.g. anthropic/claude-sonnet-5"),
        URL("an http or https address without user, password, query and fragment"),
        VARIABLE("the name of an environment variable, never a key itself"),
        HEADER("the name of an HTTP header, e.g. api-key"),
        QUERY("NAME=VALUE, several joined by &, e.g. api-version=2024-10-21"),
        EFFORT("off, low, medium, high or max"),
        PATH("a path; ~/ is the home directory");

        private final String allowed;

        Form(String allowed) {
            this.allowed = allowed;
        }
    }

    /** A list of texts. */
    record Texts(Form form) implements ValueType {
        @Override
        public String allowed() {
            return "a list, each entry " + form.allowed;
        }
    }

    /** A list of maps that all have these keys. */
    record Maps(List<Key> keys) implements ValueType {
        @Override
        public String allowed() {
            return "a list of maps with the keys "
                    + String.join(", ", keys.stream().map(Key::name).toList());
        }
    }
}
