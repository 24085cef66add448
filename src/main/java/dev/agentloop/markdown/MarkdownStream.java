package dev.agentloop.markdown;

import dev.agentloop.colour.Tint;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Markdown that arrives in pieces. A block is shown when it is complete: a paragraph, a heading, a
 * table; of a list each item, of code each line.
 */
public final class MarkdownStream {
    private static final int WIDEST = 120; // columns; longer lines are hard to read
    private static final int LONGEST = 16_000; // characters of a block before it is shown in parts
    private static final Pattern FENCE = Pattern.compile("( *)(`{3,}|~{3,})([^`]*)");
    private static final Pattern ITEM = Pattern.compile(" {0,3}(?:[-*+]|\\d{1,9}[.)])(?: .*)?");

    private final Looks looks;
    private final IntSupplier columns;
    private final MarkdownText markdown;
    private final StringBuilder line = new StringBuilder(); // not complete yet
    private final StringBuilder block = new StringBuilder(); // whole lines
    private final StringBuilder shown = new StringBuilder();
    private String fence = ""; // that ends the code; empty outside of code
    private int fenceIndent;
    private boolean diff; // the code is one
    private CodeColours code;
    private boolean blank; // the last line was
    private boolean begun; // something was shown, and no empty line behind it
    private boolean close; // no empty line comes before the block
    private boolean inList; // an indented line belongs to its item

    /**
     * @param columns of the terminal, asked for each block
     */
    public MarkdownStream(Looks looks, IntSupplier columns) {
        this.looks = looks;
        this.columns = columns;
        this.markdown = new MarkdownText(looks);
        this.code = new CodeColours(looks, "");
    }

    /** What can be shown now: whole lines, or nothing. */
    public String add(String piece) {
        int from = 0;
        for (int feed = piece.indexOf('\n'); feed >= 0; feed = piece.indexOf('\n', from)) {
            line.append(piece, from, feed);
            take(line.toString());
            line.setLength(0);
            from = feed + 1;
        }
        line.append(piece, from, piece.length());
        if (line.length() > LONGEST) {
            showLongLine();
        }
        return take();
    }

    /** The rest; the next piece begins another text. */
    public String end() {
        if (!line.isEmpty()) {
            take(line.toString());
            line.setLength(0);
        }
        show();
        fence = "";
        blank = false;
        begun = false;
        inList = false;
        return take();
    }

    private String take() {
        String text = shown.toString();
        shown.setLength(0);
        return text;
    }

    private void showLongLine() {
        if (fence.isEmpty()) {
            close = block.isEmpty() ? !blank : close;
            blank = false;
            block.append(line);
            show();
        } else {
            shown.append(looks.code(line.toString()));
        }
        line.setLength(0);
    }

    private void take(String text) {
        String whole = text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
        if (!fence.isEmpty()) {
            takeCode(whole);
            return;
        }
        Matcher opens = FENCE.matcher(whole);
        if (opens.matches()) {
            open(opens, whole);
        } else if (whole.isBlank()) {
            blank = true;
        } else {
            takeText(whole);
        }
    }

    private void takeText(String text) {
        boolean item = ITEM.matcher(text).matches();
        boolean indented = text.startsWith(" ") || text.startsWith("\t");
        boolean goesOn = inList && indented && !block.isEmpty();
        if (blank && goesOn) {
            block.append('\n');
        } else if (blank || item && !indented && inList || block.length() > LONGEST) {
            show();
        }
        close = block.isEmpty() ? !blank : close;
        blank = false;
        inList = item || inList && (indented || !block.isEmpty());
        block.append(text).append('\n');
    }

    private void open(Matcher opens, String text) {
        show();
        if (begun) {
            shown.append('\n');
        }
        begun = true;
        blank = false;
        fenceIndent = opens.group(1).length();
        fence = opens.group(2);
        String language = opens.group(3).strip();
        diff = language.equals("diff") || language.equals("patch");
        code = new CodeColours(looks, language);
        if (!looks.colour()) {
            shown.append(text).append('\n');
        }
    }

    private void takeCode(String text) {
        String mark = text.strip();
        boolean ends =
                mark.startsWith(fence) && mark.chars().allMatch(each -> each == fence.charAt(0));
        if (!ends) {
            shown.append(code(text)).append('\n');
            return;
        }
        if (!looks.colour()) {
            shown.append(text).append('\n');
        }
        fence = "";
        blank = true; // also where the text goes on at once
    }

    private String code(String text) {
        if (diff && text.startsWith("+", fenceIndent)) {
            return looks.in(Tint.ADDED, text);
        }
        return diff && text.startsWith("-", fenceIndent)
                ? looks.in(Tint.REMOVED, text)
                : code.line(text);
    }

    private void show() {
        if (block.isEmpty()) {
            return;
        }
        int indent = inList ? indentOf(block) : 0;
        String text = indent == 0 ? block.toString() : withoutIndent(indent);
        block.setLength(0);
        int room = Math.max(1, Math.min(WIDEST, columns.getAsInt()) - indent);
        List<String> lines = markdown.lines(text, room);
        if (lines.isEmpty()) {
            return;
        }
        if (begun && !close) {
            shown.append('\n');
        }
        begun = true;
        for (String each : lines) {
            shown.append(each.isEmpty() ? "" : " ".repeat(indent)).append(each).append('\n');
        }
    }

    private static int indentOf(CharSequence text) {
        int indent = 0;
        while (text.charAt(indent) == ' ') {
            indent++;
        }
        return indent;
    }

    /** A block that stands in an item of a list, shown apart from it. */
    private String withoutIndent(int indent) {
        return Pattern.compile("(?m)^ {1," + indent + "}").matcher(block).replaceAll("");
    }
}
