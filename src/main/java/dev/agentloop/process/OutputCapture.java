package dev.agentloop.process;

import dev.agentloop.message.CutText;
import dev.agentloop.process.CommandOutcome.Output;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream to its end and keeps the first and the last bytes, however much comes. All of a
 * long output goes to a file as well.
 */
final class OutputCapture {
    private static final int HEAD = 34 * 1024; // bytes; with the end, as much as a result may have
    private static final int TAIL = 17 * 1024;
    private static final int SHORTEST_BINARY = 4; // bytes; fewer are shown as they are
    private static final int SNIFFED = 8 * 1024; // bytes that show whether it is text
    private static final int CHUNK = 32 * 1024; // half a pipe
    private static final int EXACT = 1024 * 1024; // of an answer that is data, not text to read
    private static final int LIVE = 4 * 1024; // of what a person sees while it comes
    private static final int LONGEST_BEGUN = 1_000; // characters
    private static final int LONGEST_TORN = 4 * 1024; // bytes of a line left out for being in part
    private static final int TO_FILE = 4 * 1024; // of two such streams a result is cut

    private final ByteArrayOutputStream head = new ByteArrayOutputStream(512);
    private byte @Nullable [] ring; // most commands print little: made when the head is full
    private long total;
    private long lines; // that ended, in all that came
    private long characters; // of all that came
    private String begun = ""; // the last line that was taken, if it had not ended
    private final Supplier<OutputFile> files;
    private final int headSize;
    private final boolean exact;
    private OutputFile file;

    /**
     * @param files makes a file, which is written when there is much to write
     */
    OutputCapture(Supplier<OutputFile> files) {
        this(files, false);
    }

    /**
     * @param exact whether the text is kept as it came, and more of it
     */
    OutputCapture(Supplier<OutputFile> files, boolean exact) {
        this.files = files;
        this.file = files.get();
        this.exact = exact;
        this.headSize = exact ? EXACT : HEAD;
    }

    /** Blocks until the last writer has closed the pipe. */
    void drain(InputStream in) {
        byte[] chunk = new byte[CHUNK];
        try {
            for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                add(chunk, n);
            }
        } catch (IOException e) {
            // closed under us, because the command is over: what came is kept
        }
    }

    /** What has come since this was asked last; half a character at the end waits for the rest. */
    synchronized Output take() {
        byte[] first = head.toByteArray();
        byte[] rest = ring == null ? unfinished(first) : new byte[0];
        head.reset();
        head.write(first, 0, first.length - rest.length);
        total -= rest.length;
        keepBinary();
        Output now = output();
        begin(now.text());
        file.close();
        file = files.get();
        head.reset();
        ring = null;
        total = 0;
        lines = 0;
        characters = 0;
        add(rest, rest.length);
        return now;
    }

    private void begin(String taken) {
        int last = taken.lastIndexOf('\n');
        String line = last < 0 ? begun + taken : taken.substring(last + 1);
        begun = line.substring(Math.max(0, line.length() - LONGEST_BEGUN));
    }

    /**
     * Whether what has come since makes of a line that was taken in part what is wanted, which the
     * part alone was not.
     */
    synchronized boolean completes(Predicate<String> wanted) {
        return !begun.isEmpty()
                && total > 0
                && wanted.test(begun + output().text())
                && !wanted.test(begun);
    }

    /** No more is written to the file; it can be read. */
    synchronized void close() {
        keepBinary();
        file.close();
    }

    /** What is not shown is in the file, however short it is. */
    private void keepBinary() {
        if (!exact && !file.isBegun() && isBinary(head.toByteArray())) {
            file.write(head.toByteArray(), head.size());
        }
    }

    /** What has come so far. */
    synchronized Output output() {
        byte[] first = head.toByteArray();
        if (!exact && isBinary(first)) {
            return new Output("", total, total, file.kept());
        }
        long later = total - first.length;
        if (later == 0) {
            return new Output(cleaned(decode(first, 0, first.length)), total, 0, file.kept());
        }
        byte[] last = tail(later);
        if (last.length == later) {
            byte[] all = new byte[first.length + last.length];
            System.arraycopy(first, 0, all, 0, first.length);
            System.arraycopy(last, 0, all, first.length, last.length);
            return new Output(cleaned(decode(all, 0, all.length)), total, 0, file.kept());
        }
        byte[] begins = Arrays.copyOf(first, endOfLine(first));
        byte[] ends = Arrays.copyOfRange(last, startOfLine(last), last.length);
        long leftOut = total - begins.length - ends.length;
        return new Output(joined(begins, ends), total, leftOut, file.kept());
    }

    /** Behind the last line that is whole; behind the last character where that line is long. */
    private static int endOfLine(byte[] first) {
        int end = first.length;
        while (end > first.length - LONGEST_TORN && first[end - 1] != '\n') {
            end--;
        }
        return first[end - 1] == '\n' ? end : first.length - unfinished(first).length;
    }

    /** At the first line that is whole; at the first character where the line before is long. */
    private static int startOfLine(byte[] last) {
        int start = 0;
        while (start < LONGEST_TORN && last[start] != '\n') {
            start++;
        }
        if (last[start] == '\n' && start + 1 < last.length) {
            return start + 1;
        }
        start = 0;
        while (start < 3 && isContinuation(last[start])) {
            start++; // a character cut in two would read as garbage
        }
        return start;
    }

    /**
     * The newest lines, as far as the last four kilobytes hold them; none of what is no text. A
     * line that has not ended yet has no line feed.
     */
    synchronized String lastLines(int most) {
        byte[] first = head.toByteArray();
        if (isBinary(first)) {
            return "";
        }
        byte[] late = tail(total - first.length);
        byte[] from = late.length == 0 ? first : late;
        int start = Math.max(0, from.length - LIVE);
        while (start > 0 && start < from.length && from[start - 1] != '\n') {
            start++; // the rest of a line may be the rest of a secret
        }
        String text = OutputText.clean(decode(from, start, from.length - start));
        List<String> lines = text.lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - most), lines.size()))
                + (text.endsWith("\n") ? "\n" : "");
    }

    /**
     * A fifth of it is no text, or a third is NUL. Names that end in NUL are text, and so are the
     * accents of an old encoding.
     */
    private static boolean isBinary(byte[] first) {
        if (first.length < SHORTEST_BINARY) {
            return false;
        }
        int length = Math.min(first.length, SNIFFED);
        String text = decode(first, 0, length);
        int odd = 0;
        int nul = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            nul += c == 0 ? 1 : 0;
            odd += c == '\uFFFD' || c < ' ' && c != 0 && !isLayout(c) ? 1 : 0;
        }
        return odd * 5L > text.length() || nul * 3L > text.length();
    }

    private static boolean isLayout(char c) {
        return c >= '\b' && c <= '\r' || c == '\u001B'; // of lines, backspace, escape
    }

    private String cleaned(String text) {
        return exact ? text : OutputText.clean(text);
    }

    private synchronized void add(byte[] chunk, int length) {
        if (file.isBegun() || total + length > TO_FILE) {
            if (!file.isBegun()) {
                file.write(head.toByteArray(), head.size());
            }
            file.write(chunk, length);
        }
        lines += lines(chunk, length);
        characters += characters(chunk, length);
        int toHead = Math.min(length, headSize - head.size());
        head.write(chunk, 0, toHead);
        total += toHead;
        if (toHead == length) {
            return;
        }
        byte[] into = ring == null ? new byte[TAIL] : ring;
        ring = into;
        int skip = Math.max(toHead, length - TAIL); // what this chunk itself would overwrite
        total += skip - toHead;
        for (int from = skip; from < length; ) {
            int at = (int) ((total - headSize) % TAIL);
            int count = Math.min(length - from, TAIL - at);
            System.arraycopy(chunk, from, into, at, count);
            from += count;
            total += count;
        }
    }

    private byte[] tail(long later) {
        byte[] from = ring;
        if (from == null) {
            return new byte[0];
        }
        int length = (int) Math.min(later, TAIL);
        byte[] last = new byte[length];
        long start = later - length;
        for (int i = 0; i < length; i++) {
            last[i] = from[(int) ((start + i) % TAIL)];
        }
        return last;
    }

    private String joined(byte[] first, byte[] last) {
        long ends = lines - lines(first, first.length) - lines(last, last.length);
        long between = characters - characters(first, first.length) - characters(last, last.length);
        boolean atLine = first[first.length - 1] == '\n';
        return OutputText.clean(decode(first, 0, first.length))
                + (atLine ? "" : "\n")
                + CutText.gap(atLine ? ends : Math.max(0, ends - 1), between)
                + '\n'
                + OutputText.clean(decode(last, 0, last.length));
    }

    private static int lines(byte[] bytes, int length) {
        int ends = 0;
        for (int i = 0; i < length; i++) {
            ends += bytes[i] == '\n' ? 1 : 0;
        }
        return ends;
    }

    /** As a String counts them: two of what needs four bytes in UTF-8. */
    private static int characters(byte[] bytes, int length) {
        int characters = 0;
        for (int i = 0; i < length; i++) {
            boolean none = isContinuation(bytes[i]) || bytes[i] == '\r'; // is taken out
            characters += none ? 0 : (bytes[i] & 0xF0) == 0xF0 ? 2 : 1;
        }
        return characters;
    }

    /** The beginning of a character whose end has not come yet. */
    private static byte[] unfinished(byte[] bytes) {
        int start = bytes.length;
        while (start > 0 && bytes.length - start < 3 && isContinuation(bytes[start - 1])) {
            start--;
        }
        if (start == 0 || (bytes[start - 1] & 0xC0) != 0xC0) {
            return new byte[0];
        }
        int lead = bytes[start - 1] & 0xFF;
        int needed = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        boolean whole = bytes.length - start + 1 >= needed;
        return whole ? new byte[0] : Arrays.copyOfRange(bytes, start - 1, bytes.length);
    }

    private static boolean isContinuation(byte b) {
        return (b & 0xC0) == 0x80;
    }

    private static String decode(byte[] bytes, int from, int length) {
        return new String(bytes, from, length, StandardCharsets.UTF_8);
    }
}
