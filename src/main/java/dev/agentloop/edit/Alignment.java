package dev.agentloop.edit;

import java.util.Arrays;
import java.util.Optional;

/**
 * Which elements of a new sequence are elements of an old one, in order: a longest common
 * subsequence.
 *
 * @param partners for each new element the index of the old one; -1 for what is new
 */
record Alignment(int[] partners) {
    private static final int MAX_CELLS = 4_000_000; // 16 MB for a moment

    @FunctionalInterface
    interface Equality {
        boolean holds(int old, int now);
    }

    /** Empty if there is too much to compare. */
    static Optional<Alignment> of(int old, int now, Equality same) {
        int[] partners = new int[now];
        Arrays.fill(partners, -1);
        int head = 0;
        while (head < old && head < now && same.holds(head, head)) {
            partners[head] = head;
            head++;
        }
        int tail = 0;
        while (tail < old - head
                && tail < now - head
                && same.holds(old - 1 - tail, now - 1 - tail)) {
            partners[now - 1 - tail] = old - 1 - tail;
            tail++;
        }
        int rows = old - head - tail;
        int columns = now - head - tail;
        if ((long) (rows + 1) * (columns + 1) > MAX_CELLS) {
            return Optional.empty();
        }
        if (rows > 0 && columns > 0) {
            alignMiddle(partners, head, rows, columns, same);
        }
        return Optional.of(new Alignment(partners));
    }

    private static void alignMiddle(
            int[] partners, int head, int rows, int columns, Equality same) {
        int[][] longest = new int[rows + 1][columns + 1];
        for (int i = rows - 1; i >= 0; i--) {
            for (int j = columns - 1; j >= 0; j--) {
                longest[i][j] =
                        same.holds(head + i, head + j)
                                ? longest[i + 1][j + 1] + 1
                                : Math.max(longest[i + 1][j], longest[i][j + 1]);
            }
        }
        int i = 0;
        int j = 0;
        while (i < rows && j < columns) {
            if (same.holds(head + i, head + j)) {
                partners[head + j] = head + i;
                i++;
                j++;
            } else if (longest[i + 1][j] >= longest[i][j + 1]) {
                i++;
            } else {
                j++;
            }
        }
    }
}
