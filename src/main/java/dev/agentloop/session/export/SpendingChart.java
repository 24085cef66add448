package dev.agentloop.session.export;

import dev.agentloop.html.Html;
import dev.agentloop.message.Usage;
import dev.agentloop.session.SavedSession.Paid;
import java.util.List;
import java.util.Locale;

/** Tokens of each model call as a picture: a bar for each, with its figures behind it. */
final class SpendingChart {
    private static final int HEIGHT = 100;
    private static final int FEWEST_BARS = 40; // that have room
    private static final int MOST_BARS = 400; // more calls share bars

    private SpendingChart() {}

    /** HTML; empty if nothing was paid. */
    static String of(List<Paid> calls) {
        long most = calls.stream().mapToLong(paid -> paid.usage().total()).max().orElse(0);
        if (most == 0) {
            return "";
        }
        int shared = (calls.size() + MOST_BARS - 1) / MOST_BARS;
        int bars = (calls.size() + shared - 1) / shared;
        StringBuilder out = new StringBuilder();
        out.append("<svg class=\"chart\" role=\"img\" aria-label=\"Tokens of each model call\"");
        out.append(" preserveAspectRatio=\"none\" viewBox=\"0 0 ");
        out.append(Math.max(bars, FEWEST_BARS) * 10);
        out.append(' ').append(HEIGHT).append("\">\n");
        for (int bar = 0; bar < bars; bar++) {
            out.append(bar(calls, bar * shared, bar * 10, most));
        }
        out.append("</svg>\n<p class=\"legend\">Tokens of ").append(calls.size());
        out.append(calls.size() == 1 ? " model call" : " model calls");
        out.append(", the largest ").append(number(most));
        out.append(": the prompt (of it from a cache in the lighter colour) and, on top, what was");
        return out.append(" generated.</p>\n").toString();
    }

    private static String bar(List<Paid> calls, int call, int x, long most) {
        Paid paid = calls.get(call);
        Usage usage = paid.usage();
        long cached = usage.cacheRead();
        String title =
                "Call %d (%s): %s in, %s of it cached, %s out%s"
                        .formatted(
                                call + 1,
                                Html.text(paid.source()),
                                number(usage.prompt()),
                                number(cached),
                                number(usage.output()),
                                paid.usd() == null ? "" : ", " + Html.text(paid.usd()) + " USD");
        String fresh = part("i", x, usage.prompt() - cached, 0, most);
        String old = part("c", x, cached, usage.prompt() - cached, most);
        String generated = part("o", x, usage.output(), usage.prompt(), most);
        return "<g><title>" + title + "</title>" + fresh + old + generated + "</g>\n";
    }

    private static String part(String kind, int x, long tokens, long below, long most) {
        double height = (double) HEIGHT * tokens / most;
        double top = HEIGHT - height - (double) HEIGHT * below / most;
        return String.format(
                Locale.ROOT,
                "<rect class=\"%s\" x=\"%d\" y=\"%.2f\" width=\"8\" height=\"%.2f\"/>",
                kind,
                x + 1,
                top,
                height);
    }

    private static String number(long tokens) {
        return String.format(Locale.ROOT, "%,d", tokens);
    }
}
