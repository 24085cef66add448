package dev.agentloop.report;

import dev.agentloop.html.Html;
import dev.agentloop.orchestration.Interval;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/** Numbers as a person reads them. */
final class Figures {
    private static final int LONG = 120; // seconds, that are read as minutes

    private Figures() {}

    static String usd(@Nullable BigDecimal usd) {
        return usd == null ? "?" : "$" + usd.setScale(4, RoundingMode.HALF_UP).toPlainString();
    }

    static String usd(double usd) {
        return usd(BigDecimal.valueOf(usd));
    }

    static String seconds(Duration took) {
        return seconds((double) took.toMillis());
    }

    static String seconds(double millis) {
        long whole = Math.round(millis / 1000);
        return whole < LONG
                ? String.format(Locale.ROOT, "%.1f s", millis / 1000)
                : String.format(Locale.ROOT, "%,d min %02d s", whole / 60, whole % 60);
    }

    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    static String count(double number) {
        return String.format(Locale.ROOT, "%,.0f", number);
    }

    static String percent(double rate) {
        return Math.round(rate * 100) + "%";
    }

    /** The median, and between what all lie where they differ; "?" where one is unknown. HTML. */
    static String spread(List<Double> values, DoubleFunction<String> shown) {
        if (values.isEmpty()) {
            return "";
        }
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        double median =
                sorted.size() % 2 == 1
                        ? sorted.get(middle)
                        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        double least = sorted.getFirst();
        double most = sorted.getLast();
        if (Double.isNaN(most)) { // sorts behind all numbers
            return "?";
        }
        return least == most
                ? shown.apply(median)
                : "%s <small>%s–%s</small>"
                        .formatted(shown.apply(median), shown.apply(least), shown.apply(most));
    }

    /** A line from its low to its high end, with a dot at the rate. HTML. */
    static String drawn(double rate, Interval interval) {
        String words = percent(interval.low()) + "–" + percent(interval.high());
        return String.format(
                Locale.ROOT,
                "<svg class=\"interval\" role=\"img\" aria-label=\"%s\" viewBox=\"0 0 108 10\">"
                        + "<rect class=\"all\" x=\"4\" y=\"4.5\" width=\"100\" height=\"1\"/>"
                        + "<rect class=\"part\" x=\"%.1f\" y=\"3.5\" width=\"%.1f\" height=\"3\"/>"
                        + "<circle cx=\"%.1f\" cy=\"5\" r=\"3.5\"/></svg> <small>%s</small>",
                Html.text(words),
                4 + 100 * interval.low(),
                100 * (interval.high() - interval.low()),
                4 + 100 * rate,
                Html.text(words));
    }
}
