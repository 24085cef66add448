package dev.agentloop.secret.pattern;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds secrets in texts in one pass. Two characters decide whether anything can begin at a place;
 * only where that is so are the triggers asked.
 */
public final class Scanner {
    private static final int BITS = 7;
    private static final int MASK = (1 << BITS) - 1;
    private static final int OPEN = -2; // more text decides
    private static final int MAX_OPEN = 16_384; // what a stream may hold back: a long private key

    private final short[] pairs = new short[1 << 2 * BITS]; // 0: nothing begins so
    private final boolean[] firsts = new boolean[1 << BITS];
    private final List<List<Trigger>> lists = new ArrayList<>();

    /**
     * @param triggers of two that find something at one place, the first wins
     */
    public Scanner(List<? extends Trigger> triggers) {
        lists.add(List.of());
        for (Trigger trigger : triggers) {
            add(trigger, trigger.start().charAt(1));
            if (trigger instanceof Encoded) {
                add(trigger, '\n'); // base64 is broken into lines
                add(trigger, '\r');
            }
        }
    }

    private void add(Trigger trigger, char second) {
        char first = trigger.start().charAt(0);
        firsts[first & MASK] = true;
        int pair = (first & MASK) << BITS | second & MASK;
        if (pairs[pair] == 0) {
            pairs[pair] = (short) lists.size();
            lists.add(new ArrayList<>());
        }
        lists.get(pairs[pair]).add(trigger);
    }

    /** What stands in the text; null, the usual case, for nothing. */
    @Nullable
    public List<Span> find(String text) {
        int at = next(text, 0);
        if (at < 0) {
            return null;
        }
        Scan scan = new Scan(text, "");
        walk(scan, at, false);
        return scan.spans().isEmpty() ? null : scan.spans();
    }

    /**
     * The same for the beginning of a text that goes on.
     *
     * @param spans gets what was found in front of the answer
     * @return how much of the text is settled: what follows may become part of a secret
     */
    public int settled(String text, String before, List<Span> spans) {
        Scan scan = new Scan(text, before);
        int settled = walk(scan, next(text, 0), true);
        if (text.length() - settled > MAX_OPEN) {
            spans.addAll(finished(text, before));
            return text.length();
        }
        spans.addAll(scan.spans());
        return settled;
    }

    /** What stands in the rest of a text. */
    public List<Span> finished(String text, String before) {
        Scan scan = new Scan(text, before);
        walk(scan, next(text, 0), false);
        return scan.spans();
    }

    /** How far the search came: to the end, or to what more text would decide. */
    private int walk(Scan scan, int first, boolean more) {
        String text = scan.text;
        int end = text.length();
        int at = first;
        while (at >= 0) {
            int known = scan.spans().size();
            int next = ask(scan, at, more);
            if (next == OPEN) {
                scan.spans().subList(known, scan.spans().size()).clear();
                return at;
            }
            at = next(text, next);
        }
        boolean mayBegin = more && end > 0 && firsts[text.charAt(end - 1) & MASK];
        boolean covered = !scan.spans().isEmpty() && scan.spans().getLast().end() == end;
        return mayBegin && !covered ? end - 1 : end;
    }

    private int ask(Scan scan, int at, boolean more) {
        for (Trigger trigger : triggers(scan.text, at)) {
            int end = trigger.find(scan, at);
            if (scan.hasHitEnd() && more) {
                return OPEN;
            }
            if (end >= 0) {
                return end;
            }
        }
        return at + 1;
    }

    private List<Trigger> triggers(String text, int at) {
        return lists.get(pairs[pair(text.charAt(at), text.charAt(at + 1))]);
    }

    /** The next place at which something may begin; -1 if there is none. */
    private int next(String text, int from) {
        int last = text.length() - 1;
        if (from >= last) {
            return -1;
        }
        char one = text.charAt(from);
        for (int i = from; i < last; i++) {
            char two = text.charAt(i + 1);
            if (pairs[pair(one, two)] != 0) {
                return i;
            }
            one = two;
        }
        return -1;
    }

    private static int pair(char one, char two) {
        return (one & MASK) << BITS | two & MASK;
    }
}
