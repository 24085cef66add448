package dev.agentloop.cli.command;

import dev.agentloop.output.SafeText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lines with columns that stand below each other. */
public final class TextTable {
    private static final int MOST = 60; // characters of a cell

    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(String... heads) {
        row(heads);
    }

    public void row(String... cells) {
        rows.add(Arrays.stream(cells).map(cell -> SafeText.line(cell, MOST)).toList());
    }

    public static String usd(@Nullable BigDecimal usd) {
        return usd == null ? "?" : "$" + usd.setScale(4, RoundingMode.HALF_UP).toPlainString();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                line.append(row.get(i)).append(" ".repeat(width(i) - row.get(i).length() + 2));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
