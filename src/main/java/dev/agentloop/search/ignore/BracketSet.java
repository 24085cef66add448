package dev.agentloop.search.ignore;

import java.util.BitSet;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The bytes that a bracket expression of an ignore file stands for, such as {@code [!a-z]}. */
final class BracketSet {
    private final String glob;
    private final BitSet bytes = new BitSet(256);
    private int at;

    private BracketSet(String glob, int at) {
        this.glob = glob;
        this.at = at;
    }

    /**
     * Null if git cannot read it.
     *
     * @param from the place after the opening bracket
     */
    static @Nullable BitSet read(String glob, int from) {
        BracketSet set = new BracketSet(glob, from);
        return set.read() ? set.bytes : null;
    }

    /** The place after the closing bracket of one that can be read. */
    static int end(String glob, int from) {
        BracketSet set = new BracketSet(glob, from);
        set.read();
        return set.at;
    }

    private boolean read() {
        boolean negated = peek(0) == '!' || peek(0) == '^';
        at += negated ? 1 : 0;
        int previous = 0; // 0 where no range can begin
        do { // a closing bracket that comes first is a member
            int c = peek(0);
            if (c == '\\') {
                at++;
                previous = add(peek(0));
            } else if (c == '-' && previous > 0 && peek(1) > 0 && peek(1) != ']') {
                at += peek(1) == '\\' ? 2 : 1;
                addRange(previous, peek(0));
                previous = 0;
            } else if (c == '[' && peek(1) == ':' && classEnd() != 0) {
                if (!addClass()) {
                    return false;
                }
                previous = 0;
            } else {
                previous = add(c);
            }
            if (peek(0) == 0) {
                return false;
            }
            at++;
        } while (peek(0) != ']');
        at++;
        if (negated) {
            bytes.flip(0, 256);
        }
        bytes.clear('/');
        return true;
    }

    /** The character so far ahead; 0 behind the end. */
    private int peek(int ahead) {
        return at + ahead < glob.length() ? glob.charAt(at + ahead) : 0;
    }

    private int add(int c) {
        bytes.set(c);
        return c;
    }

    private void addRange(int from, int to) {
        if (from <= to) {
            bytes.set(from, to + 1);
        }
    }

    /** Where {@code [:name:]} ends; -1 if nothing closes it, 0 if it is no class but a member. */
    private int classEnd() {
        int end = glob.indexOf(']', at + 2);
        return end < 0 ? -1 : end > at + 2 && glob.charAt(end - 1) == ':' ? end : 0;
    }

    private boolean addClass() {
        int end = classEnd();
        IntPredicate members = end < 0 ? null : named(glob.substring(at + 2, end - 1));
        if (members == null) {
            return false;
        }
        for (int c = 0; c < 128; c++) { // git asks for ASCII only
            if (members.test(c)) {
                bytes.set(c);
            }
        }
        at = end;
        return true;
    }

    private static @Nullable IntPredicate named(String name) {
        IntPredicate digit = c -> c >= '0' && c <= '9';
        IntPredicate lower = c -> c >= 'a' && c <= 'z';
        IntPredicate upper = c -> c >= 'A' && c <= 'Z';
        IntPredicate alnum = digit.or(lower).or(upper);
        IntPredicate graph = c -> c > ' ' && c < 127;
        return switch (name) {
            case "alnum" -> alnum;
            case "alpha" -> lower.or(upper);
            case "blank" -> c -> c == ' ' || c == '\t';
            case "cntrl" -> c -> c < ' ' || c == 127;
            case "digit" -> digit;
            case "graph" -> graph;
            case "lower" -> lower;
            case "print" -> graph.or(c -> c == ' ');
            case "punct" -> graph.and(alnum.negate());
            case "space" -> c -> c == ' ' || c >= '\t' && c <= '\r';
            case "upper" -> upper;
            case "xdigit" -> digit.or(c -> c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F');
            default -> null;
        };
    }
}
