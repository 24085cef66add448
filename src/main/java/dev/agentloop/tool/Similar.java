package dev.agentloop.tool;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Finds the names that someone probably meant. */
public final class Similar {
    private static final int MAX_LENGTH =
            255; // longest file name; longer ones are not typing slips

    private Similar() {}

    /** At most {@code max} names that resemble {@code wanted}, nearest first; often none. */
    public static List<String> to(String wanted, Collection<String> names, int max) {
        String plain = plain(wanted);
        return names.stream()
                .map(name -> new Scored(name, distance(plain, plain(name))))
                .filter(scored -> scored.distance <= tolerance(plain))
                .sorted(Comparator.comparingInt(Scored::distance).thenComparing(Scored::name))
                .limit(max)
                .map(Scored::name)
                .toList();
    }

    private record Scored(String name, int distance) {}

    private static int tolerance(String plain) {
        return Math.max(2, plain.length() / 3);
    }

    /** Case and separators are what people and models mix up most. */
    private static String plain(String name) {
        String lower = name.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
        return lower.length() > MAX_LENGTH ? lower.substring(0, MAX_LENGTH) : lower;
    }

    private static int distance(String one, String other) {
        if (one.length() >= 3 && other.length() >= 3) {
            if (other.contains(one) || one.contains(other)) {
                return one.equals(other) ? 0 : 1;
            }
        }
        return levenshtein(one, other);
    }

    private static int levenshtein(String one, String other) {
        int[] above = new int[other.length() + 1];
        for (int j = 0; j < above.length; j++) {
            above[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int[] row = new int[above.length];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int change = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
                row[j] = Math.min(above[j - 1] + change, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[other.length()];
    }
}
