package dev.agentloop.shell.program;

import java.util.ArrayList;
import java.util.List;

/** The words that bash makes of braces: {@code a{b,c}} is {@code ab ac}. */
public final class Braces {
    private static final int MAX_WORDS = 100;

    private Braces() {}

    /** The words; the word itself if it holds no list in braces, or they are too many. */
    public static List<String> expand(String word) {
        List<String> words = new ArrayList<>(List.of(word));
        for (int i = 0; i < words.size() && words.size() <= MAX_WORDS; ) {
            List<String> once = once(words.get(i));
            if (once.isEmpty()) {
                i++;
            } else {
                words.remove(i);
                words.addAll(i, once);
            }
        }
        return words.size() > MAX_WORDS ? List.of(word) : words;
    }

    /** The first list in braces taken apart; empty if there is none. */
    private static List<String> once(String word) {
        for (int open = word.indexOf('{'); open >= 0; open = word.indexOf('{', open + 1)) {
            List<Integer> commas = new ArrayList<>();
            int depth = 0;
            for (int i = open; i < word.length(); i++) {
                char c = word.charAt(i);
                depth += c == '{' ? 1 : c == '}' ? -1 : 0;
                if (c == ',' && depth == 1) {
                    commas.add(i);
                }
                if (depth == 0 && commas.isEmpty()) {
                    break;
                }
                if (depth == 0) {
                    return parts(word, open, commas, i);
                }
            }
        }
        return List.of();
    }

    private static List<String> parts(String word, int open, List<Integer> commas, int close) {
        List<String> parts = new ArrayList<>();
        int from = open + 1;
        commas.add(close);
        for (int end : commas) {
            parts.add(
                    word.substring(0, open)
                            + word.substring(from, end)
                            + word.substring(close + 1));
            from = end + 1;
        }
        return parts;
    }
}
