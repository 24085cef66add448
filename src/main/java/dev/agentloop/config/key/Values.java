package dev.agentloop.config.key;

import dev.agentloop.config.key.ValueType.Form;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Text into values and back. Exact: what is not fully understood is refused. */
public final class Values {
    private static final BigDecimal MAX_MONEY = BigDecimal.valueOf(1_000_000);
    private static final int MAX_DIGITS = 15; // far inside a long
    private static final ValueType.Choice EFFORTS =
            ValueType.Choice.of("off", "low", "medium", "high", "max");

    /** A text that is not such a value. */
    public static final class BadValue extends Exception {
        private static final long serialVersionUID = 1L;

        BadValue(String problem) {
            super(problem);
        }

        /** What is wrong with it. */
        public String problem() {
            return String.valueOf(getMessage());
        }
    }

    private Values() {}

    /** The value of one scalar; lists and maps are not read here. */
    public static Object parse(ValueType type, String text) throws BadValue {
        if (text.isBlank()) {
            throw new BadValue("is empty");
        }
        return switch (type) {
            case ValueType.Whole whole -> whole(whole, text);
            case ValueType.WholeOrAuto either ->
                    text.equals(ValueType.WholeOrAuto.AUTO)
                            ? text
                            : whole(new ValueType.Whole(0, either.max(), true), text);
            case ValueType.Money _ -> money(text);
            case ValueType.Decimal decimal -> decimal(decimal, text);
            case ValueType.Span span -> span(span, text);
            case ValueType.Flag _ -> flag(text);
            case ValueType.Choice choice -> choice(choice, text);
            case ValueType.Text(Form form) -> form(form, text);
            case ValueType.Texts(Form form) -> form(form, text);
            case ValueType.Maps _ -> throw new BadValue("is text, not a list");
        };
    }

    /** A value as it would be written in a file. */
    public static String show(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case Duration duration -> showSpan(duration);
            case BigDecimal money -> money.toPlainString();
            case String text -> isBare(text) ? text : showQuoted(text);
            case List<?> list ->
                    "[" + String.join(", ", list.stream().map(Values::showItem).toList()) + "]";
            default -> value.toString();
        };
    }

    private static String showItem(Object item) {
        return switch (item) {
            case String text -> showQuoted(text);
            case Map<?, ?> map ->
                    map.entrySet().stream()
                            .map(entry -> entry.getKey() + ": " + show(entry.getValue()))
                            .collect(Collectors.joining(", ", "{", "}"));
            default -> show(item);
        };
    }

    private static boolean isBare(String text) {
        return text.chars()
                .allMatch(
                        c -> c < 128 && Character.isLetterOrDigit(c) || "_./:@~+-".indexOf(c) >= 0);
    }

    private static String showQuoted(String text) {
        String escaped = text.replace("\\", "\\\\").replace("\"", "\\\"");
        return '"' + escaped.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"';
    }

    private static Long whole(ValueType.Whole type, String text) throws BadValue {
        String digits = text.replace("_", "");
        if (!isDigits(digits.startsWith("-") ? digits.substring(1) : digits)
                || text.startsWith("_")
                || text.endsWith("_")) {
            throw new BadValue(quote(text) + " is not a whole number");
        }
        if (digits.length() > MAX_DIGITS) {
            throw new BadValue(text + " is out of range");
        }
        long number = Long.parseLong(digits);
        boolean free = number == 0 && type.zeroIsNoLimit();
        if (!free && (number < type.min() || number > type.max())) {
            throw new BadValue(text + " is out of range");
        }
        return number;
    }

    private static BigDecimal money(String text) throws BadValue {
        return number(text, "an amount of US dollars", BigDecimal.ZERO, MAX_MONEY);
    }

    private static BigDecimal decimal(ValueType.Decimal type, String text) throws BadValue {
        return number(text, "a number", type.min(), type.max());
    }

    private static BigDecimal number(String text, String what, BigDecimal min, BigDecimal max)
            throws BadValue {
        String digits = text.replace("_", "");
        String unsigned = digits.startsWith("-") ? digits.substring(1) : digits;
        int point = unsigned.indexOf('.');
        String all = point < 0 ? unsigned : unsigned.replaceFirst("\\.", "");
        if (!isDigits(all) || point == 0 || point == unsigned.length() - 1) {
            throw new BadValue(quote(text) + " is not " + what);
        }
        if (all.length() > MAX_DIGITS) {
            throw new BadValue(text + " is out of range");
        }
        BigDecimal number = new BigDecimal(digits);
        if (number.compareTo(min) < 0 || number.compareTo(max) > 0) {
            throw new BadValue(text + " is out of range");
        }
        return number;
    }

    private static Duration span(ValueType.Span type, String text) throws BadValue {
        Duration span = spanOf(text);
        boolean free = span.isZero() && type.zeroIsNoLimit();
        if (!free && (span.compareTo(type.min()) < 0 || span.compareTo(type.max()) > 0)) {
            throw new BadValue(text + " is out of range");
        }
        return span;
    }

    /** {@code 90}, {@code 90s}, {@code 5m}, {@code 1h30m}, {@code 500ms}: larger units first. */
    private static Duration spanOf(String text) throws BadValue {
        if (isDigits(text)) {
            return Duration.ofSeconds(amount(text, text));
        }
        long sum = 0; // in longs: Duration multiplies through BigDecimal, 30 ms at first use
        long last = Long.MAX_VALUE;
        int at = 0;
        while (at < text.length()) {
            int unitAt = at;
            while (unitAt < text.length() && isDigit(text.charAt(unitAt))) {
                unitAt++;
            }
            int next = unitAt;
            while (next < text.length() && Character.isLetter(text.charAt(next))) {
                next++;
            }
            long unit = unitMillis(text.substring(unitAt, next));
            if (unitAt == at || unit == 0 || unit >= last) {
                throw new BadValue(quote(text) + " is not a duration");
            }
            sum += unit * amount(text.substring(at, unitAt), text);
            last = unit;
            at = next;
        }
        return Duration.ofMillis(sum);
    }

    private static long unitMillis(String name) {
        return switch (name) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "m" -> 60_000;
            case "h" -> 3_600_000;
            default -> 0;
        };
    }

    private static long amount(String digits, String text) throws BadValue {
        if (digits.length() > 10) { // in hours still far inside a long of milliseconds
            throw new BadValue(text + " is out of range");
        }
        return Long.parseLong(digits);
    }

    private static String showSpan(Duration span) {
        if (span.isZero()) {
            return "0";
        }
        if (span.toMillisPart() != 0) {
            return span.toMillis() + "ms";
        }
        long seconds = span.toSeconds();
        if (seconds % 3600 == 0) {
            return seconds / 3600 + "h";
        }
        return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }

    private static Boolean flag(String text) throws BadValue {
        return switch (text) { // what YAML 1.1 takes for a truth value, in its three spellings
            case "true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON" -> true;
            case "false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF" -> false;
            default -> throw new BadValue(quote(text) + " is neither true nor false");
        };
    }

    private static String choice(ValueType.Choice type, String text) throws BadValue {
        if (type.words().contains(text)) {
            return text;
        }
        for (String word : List.of("off", "on")) { // a YAML editor may have rewritten off as false
            if (type.words().contains(word) && isTruthValue(text, word.equals("on"))) {
                return word;
            }
        }
        throw new BadValue(quote(text) + " is not known" + Suggestion.among(text, type.words()));
    }

    private static boolean isTruthValue(String text, boolean truth) {
        try {
            return flag(text) == truth;
        } catch (BadValue e) {
            return false;
        }
    }

    private static String form(Form form, String text) throws BadValue {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c) && (form != Form.ANY || c == 0)) {
                throw new BadValue("has a control character");
            }
        }
        switch (form) {
            case MODEL -> model(text);
            case URL -> url(text);
            case VARIABLE -> variable(text);
            case HEADER -> header(text);
            case QUERY -> query(text);
            case EFFORT -> choice(EFFORTS, text);
            case ANY, PATH -> {}
        }
        return text;
    }

    private static void model(String text) throws BadValue {
        int slash = text.indexOf('/');
        if (slash <= 0 || slash == text.length() - 1 || text.contains(" ")) {
            throw new BadValue(quote(text) + " names no provider");
        }
    }

    private static void url(String text) throws BadValue {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            throw new BadValue("is not a web address"); // not shown: it may hold a password
        }
        String scheme = url.getScheme();
        String authority = url.getRawAuthority();
        boolean web = "http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme);
        if (!web || authority == null || authority.startsWith(":")) {
            throw new BadValue("is not a web address");
        }
        if (authority.contains("@") || url.getRawQuery() != null || url.getRawFragment() != null) {
            throw new BadValue("has a user, a query or a fragment");
        }
    }

    /** The text is not repeated: it may be the key itself. */
    private static void variable(String text) throws BadValue {
        boolean isName = !isDigit(text.charAt(0));
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            isName &= c == '_' || isLetterOrDigit(c);
        }
        if (!isName) {
            throw new BadValue("is not the name of a variable");
        }
    }

    /** The text is not repeated, as above. */
    private static void header(String text) throws BadValue {
        for (int i = 0; i < text.length(); i++) {
            if (!isLetterOrDigit(text.charAt(i)) && "-_".indexOf(text.charAt(i)) < 0) {
                throw new BadValue("is not the name of a header");
            }
        }
    }

    private static void query(String text) throws BadValue {
        boolean isQuery = true;
        for (String pair : text.split("&", -1)) {
            isQuery &= pair.indexOf('=') > 0;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            isQuery &= isLetterOrDigit(c) || "-._~%=&+:,/".indexOf(c) >= 0;
        }
        if (!isQuery) {
            throw new BadValue("is not a query");
        }
    }

    private static boolean isLetterOrDigit(char c) {
        return isDigit(c) || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z';
    }

    private static boolean isDigits(String text) {
        boolean digits = !text.isEmpty();
        for (int i = 0; i < text.length(); i++) {
            digits &= isDigit(text.charAt(i));
        }
        return digits;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Cut, so that a stray file does not fill the screen. */
    public static String quote(String text) {
        String one = text.length() > 60 ? text.substring(0, 60) + "…" : text;
        return '"' + one.replace("\n", "\\n").replace("\r", "\\r") + '"';
    }
}
