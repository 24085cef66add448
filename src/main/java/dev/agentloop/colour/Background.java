package dev.agentloop.colour;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Of a terminal, as far as it says it. */
public enum Background {
    DARK,
    LIGHT,
    UNKNOWN;

    /** What a terminal is asked for the colour of its background. */
    public static final String QUESTION = "\u001b]11;?\u001b\\";

    /** How its answer begins. */
    public static final String ANSWER = "\u001b]11;";

    private static final Pattern COLOUR =
            Pattern.compile("rgba?:(\\p{XDigit}{1,4})/(\\p{XDigit}{1,4})/(\\p{XDigit}{1,4}).*");
    private static final Pattern ANSWERS =
            Pattern.compile("\u001b\\][^\u0007\u001b]*(?:\u0007|\u001b\\\\)?");
    private static final int WHITE = 7; // of the 16 colours; the next one is a dark grey
    private static final int GREY = 8;

    /** A typed line without what the terminal has answered meanwhile, and without other keys. */
    public static String withoutAnswers(String line) {
        return ANSWERS.matcher(line).replaceAll("").replaceAll("(?!\t)\\p{Cntrl}", "");
    }

    /** By {@code COLORFGBG}, which some terminals set: the numbers of both colours. */
    public static Background of(Map<String, String> environment) {
        String colours = environment.getOrDefault("COLORFGBG", "");
        String last = colours.substring(colours.lastIndexOf(';') + 1);
        if (!last.matches("1?\\d") || !colours.contains(";")) {
            return UNKNOWN;
        }
        int number = Integer.parseInt(last);
        return number < WHITE || number == GREY ? DARK : LIGHT;
    }

    /**
     * By the answer of a terminal, such as {@code rgb:1e1e/1e1e/2e2e}.
     *
     * @param answer what stands behind {@link #ANSWER}
     */
    public static Background answered(String answer) {
        Matcher colour = COLOUR.matcher(answer);
        if (!colour.matches()) {
            return UNKNOWN;
        }
        double[] share = new double[3];
        for (int i = 0; i < 3; i++) {
            String digits = colour.group(i + 1);
            share[i] = Integer.parseInt(digits, 16) / (Math.pow(16, digits.length()) - 1);
        }
        double brightness = 0.299 * share[0] + 0.587 * share[1] + 0.114 * share[2];
        return brightness < 0.5 ? DARK : LIGHT;
    }
}
