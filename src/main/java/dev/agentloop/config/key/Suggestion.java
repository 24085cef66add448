package dev.agentloop.config.key;

import java.util.Collection;
import java.util.Locale;

/** The word that was probably meant. */
public final class Suggestion {
    private Suggestion() {}

    /** {@code ; did you mean "x"?} or nothing. */
    public static String among(String word, Collection<String> known) {
        String best = "";
        int bestDistance = Math.max(1, word.length() / 3) + 1;
        for (String candidate : known) {
            int distance = distance(plain(word), plain(candidate));
            if (distance < bestDistance) {
                bestDistance = distance;
                best = candidate;
            }
        }
        return best.isEmpty() ? "" : "; did you mean \"" + best + "\"?";
    }

    /** {@code maxSteps}, {@code max-steps} and {@code max_steps} are one word. */
    static String plain(String word) {
        return word.replace("_", "").replace("-", "").toLowerCase(Locale.ROOT);
    }

    /** Edits that turn a into b: insert, delete, replace, swap neighbours. */
    private static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(cost, a, b, i, j);
            }
        }
        return cost[a.length()][b.length()];
    }

    private static int cheapest(int[][] cost, String a, String b, int i, int j) {
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int best =
                Math.min(
                        cost[i - 1][j - 1] + (same ? 0 : 1),
                        1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        boolean swapped =
                i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
    }
}
