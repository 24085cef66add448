package dev.agentloop.patch;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The numbers of {@code @@ -12,3 +12,4 @@}; models often get them wrong. */
record HunkNumbers(int oldStart, int oldCount, int newCount) {
    private static final Pattern FORM =
            Pattern.compile("@@ *-(\\d{1,8})(?:,(\\d{1,8}))? +\\+(\\d{1,8})(?:,(\\d{1,8}))? *@@.*");

    static Optional<HunkNumbers> of(String line) {
        Matcher numbers = FORM.matcher(line);
        return numbers.matches()
                ? Optional.of(
                        new HunkNumbers(
                                Integer.parseInt(numbers.group(1)),
                                count(numbers.group(2)),
                                count(numbers.group(4))))
                : Optional.empty();
    }

    /** From 1; where there are no old lines, the number is that of the line before. */
    int firstOldLine() {
        return oldStart + (oldCount == 0 ? 1 : 0);
    }

    private static int count(@Nullable String digits) {
        return digits == null ? 1 : Integer.parseInt(digits);
    }
}
