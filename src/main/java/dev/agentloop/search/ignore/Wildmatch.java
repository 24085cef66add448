package dev.agentloop.search.ignore;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of an ignore file as git reads it: over bytes, {@code *} and {@code ?} within a name,
 * {@code **} between slashes across folders. All ways to match are followed at once, so that no
 * pattern takes more than its length times that of the path.
 *
 * <p>Texts are "byte strings": one character, 0 to 255, for each byte.
 */
final class Wildmatch {
    private static final String SPECIAL = "*?[\\";

    private final String prefix;
    private final List<Step> steps;
    private final boolean readable;
    private final boolean withinNames; // it has no part that may take a slash and more

    /** What one part of the pattern takes from the text. */
    private sealed interface Step {
        /** One byte of a set. */
        record One(BitSet bytes) implements Step {}

        /** Any number of bytes, none of them a slash. */
        record Star() implements Step {}

        /** Any number of bytes. */
        record All() implements Step {}

        /** Nothing, or anything that ends with a slash. */
        record Folders() implements Step {}
    }

    private Wildmatch(String prefix, @Nullable List<Step> steps) {
        this.prefix = prefix;
        this.steps = steps == null ? List.of() : steps;
        this.readable = steps != null;
        this.withinNames =
                this.steps.stream().allMatch(s -> s instanceof Step.One || s instanceof Step.Star);
    }

    /** A pattern that git cannot read, such as one with an open bracket, never matches. */
    static Wildmatch of(String pattern) {
        int plain = plainLength(pattern);
        // git compares the plain beginning first, so what comes after it counts as a beginning
        return new Wildmatch(
                pattern.substring(0, plain), new Parser(pattern.substring(plain)).steps());
    }

    /** Whether a pattern stands for itself alone. */
    static boolean isPlain(String pattern) {
        return plainLength(pattern) == pattern.length();
    }

    private static int plainLength(String pattern) {
        int plain = 0;
        while (plain < pattern.length() && SPECIAL.indexOf(pattern.charAt(plain)) < 0) {
            plain++;
        }
        return plain;
    }

    boolean matches(String text) {
        if (!readable || !text.startsWith(prefix)) {
            return false;
        }
        if (steps.isEmpty()) {
            return text.length() == prefix.length();
        }
        if (!endFits(text)) {
            return false;
        }
        if (withinNames && text.indexOf('/') < 0) {
            return matchesName(text);
        }
        BitSet at = new BitSet(steps.size() + 1);
        enter(at, 0);
        for (int i = prefix.length(); i < text.length() && !at.isEmpty(); i++) {
            at = after(at, text.charAt(i));
        }
        return at.get(steps.size());
    }

    /**
     * In a name, only the last star so far may have to take more: earlier ones left it a choice.
     */
    private boolean matchesName(String name) {
        int i = prefix.length();
        int step = 0;
        int star = -1; // the last one
        int behind = i; // what that star has taken ends here
        while (i < name.length()) {
            Step next = step < steps.size() ? steps.get(step) : null;
            if (next instanceof Step.Star) {
                star = step++;
                behind = i;
            } else if (next instanceof Step.One(BitSet bytes) && bytes.get(name.charAt(i))) {
                i++;
                step++;
            } else if (star >= 0) {
                i = ++behind;
                step = star + 1;
            } else {
                return false;
            }
        }
        while (step < steps.size() && steps.get(step) instanceof Step.Star) {
            step++;
        }
        return step == steps.size();
    }

    /** Most names differ at their end already. */
    private boolean endFits(String text) {
        int i = text.length() - 1;
        for (int s = steps.size() - 1; s >= 0 && steps.get(s) instanceof Step.One one; s--) {
            if (i < prefix.length() || !one.bytes().get(text.charAt(i--))) {
                return false;
            }
        }
        return true;
    }

    private BitSet after(BitSet before, char c) {
        BitSet next = new BitSet(steps.size() + 1);
        for (int s = before.nextSetBit(0);
                s >= 0 && s < steps.size();
                s = before.nextSetBit(s + 1)) {
            switch (steps.get(s)) {
                case Step.One(BitSet bytes) when bytes.get(c) -> enter(next, s + 1);
                case Step.One _ -> {}
                case Step.Star() when c != '/' -> enter(next, s);
                case Step.Star() -> {}
                case Step.All() -> enter(next, s);
                case Step.Folders() -> {
                    next.set(s);
                    if (c == '/') {
                        enter(next, s + 1);
                    }
                }
            }
        }
        return next;
    }

    /** Goes to a step, and on to what follows if the step may take nothing. */
    private void enter(BitSet at, int step) {
        at.set(step);
        if (step < steps.size() && !(steps.get(step) instanceof Step.One)) {
            enter(at, step + 1);
        }
    }

    /** Reads what follows the plain beginning of a pattern. */
    private static final class Parser {
        private final String glob;
        private final List<Step> steps = new ArrayList<>();
        private int at;

        Parser(String glob) {
            this.glob = glob;
        }

        /** Null if the pattern can never match. */
        @Nullable List<Step> steps() {
            while (at < glob.length()) {
                char c = glob.charAt(at++);
                switch (c) {
                    case '*' -> star();
                    case '?' -> steps.add(new Step.One(allBut('/')));
                    case '[' -> {
                        BitSet set = BracketSet.read(glob, at);
                        if (set == null) {
                            return null;
                        }
                        at = BracketSet.end(glob, at);
                        steps.add(new Step.One(set));
                    }
                    case '\\' -> {
                        if (at == glob.length()) {
                            return null;
                        }
                        one(glob.charAt(at++));
                    }
                    default -> one(c);
                }
            }
            return steps;
        }

        private void star() {
            int first = at - 1;
            while (at < glob.length() && glob.charAt(at) == '*') {
                at++;
            }
            boolean begins = first == 0 || glob.charAt(first - 1) == '/';
            String rest = glob.substring(at);
            if (at - first == 1 || !begins) {
                steps.add(new Step.Star());
            } else if (rest.startsWith("/")) {
                at++;
                steps.add(new Step.Folders());
            } else {
                boolean ends = rest.isEmpty() || rest.startsWith("\\/");
                steps.add(ends ? new Step.All() : new Step.Star());
            }
        }

        private void one(char c) {
            BitSet bytes = new BitSet(c + 1);
            bytes.set(c);
            steps.add(new Step.One(bytes));
        }

        private static BitSet allBut(char c) {
            BitSet bytes = new BitSet(256);
            bytes.set(0, 256);
            bytes.clear(c);
            return bytes;
        }
    }
}
