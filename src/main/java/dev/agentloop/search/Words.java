package dev.agentloop.search;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;

/** The words that names are made of: {@code loginUser}, {@code LOGIN_USER} and "login user". */
final class Words {
    private Words() {}

    /** In lower case, in order, each once. */
    static List<String> of(String text) {
        LinkedHashSet<String> words = new LinkedHashSet<>();
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            boolean ends = i == text.length() || !Character.isLetterOrDigit(text.charAt(i));
            if (ends || i > start && begins(text, i)) {
                if (i > start) {
                    words.add(text.substring(start, i).toLowerCase(Locale.ROOT));
                }
                start = ends ? i + 1 : i;
            }
        }
        return new ArrayList<>(words);
    }

    /** Whether a hump begins there: the U of loginUser, the last P of HTTPParser. */
    private static boolean begins(String text, int i) {
        char before = text.charAt(i - 1);
        char here = text.charAt(i);
        if (Character.isUpperCase(here)) {
            boolean lowerAfter = i + 1 < text.length() && Character.isLowerCase(text.charAt(i + 1));
            return !Character.isUpperCase(before) || lowerAfter;
        }
        return false;
    }
}
