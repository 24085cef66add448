package dev.agentloop.search;

import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A file pattern: {@code *} and {@code ?} stay within a name, {@code **} crosses folders, {@code
 * [a-z]} and {@code {a,b}} choose. Without a slash it speaks about the name at any depth.
 */
public final class Glob {
    private static final int MAX_CHARS = 1000; // no sensible pattern is longer
    private static final int MAX_CHOICES = 8; // {a,b}; the time to match doubles with each

    /** A name with at most one star and nothing else that stands for something. */
    private static final Pattern SIMPLE = Pattern.compile("([\\w.-]*)(?:(\\*)([\\w.-]*))?");

    private final Predicate<CharSequence> matches;

    private Glob(Predicate<CharSequence> matches) {
        this.matches = matches;
    }

    /**
     * @throws PatternSyntaxException for a pattern that is broken, too long or too complicated
     */
    public static Glob of(String glob) {
        if (glob.length() > MAX_CHARS) {
            String begin = glob.substring(0, MAX_CHOICES) + "…";
            throw new PatternSyntaxException(
                    "the pattern has more than " + MAX_CHARS + " characters", begin, -1);
        }
        if (glob.chars().filter(c -> c == '{').count() > MAX_CHOICES) {
            throw new PatternSyntaxException(
                    "the pattern has more than " + MAX_CHOICES + " choices in braces", glob, -1);
        }
        String plain = glob;
        while (plain.startsWith("./")) {
            plain = plain.substring(2);
        }
        Matcher simple = SIMPLE.matcher(plain);
        if (simple.matches()) {
            return new Glob(ofName(simple));
        }
        Pattern pattern = compile(plain, plain.indexOf('/') < 0);
        return new Glob(path -> pattern.matcher(path).matches());
    }

    /** Most patterns; an expression would take ten times as long. */
    private static Predicate<CharSequence> ofName(Matcher simple) {
        String begin = simple.group(1);
        if (simple.group(2) == null) {
            return path -> name(path).equals(begin);
        }
        String end = simple.group(3);
        return path -> {
            String name = name(path);
            return name.length() >= begin.length() + end.length()
                    && name.startsWith(begin)
                    && name.endsWith(end);
        };
    }

    private static String name(CharSequence path) {
        String whole = path.toString();
        return whole.substring(whole.lastIndexOf('/') + 1);
    }

    /**
     * @param path relative, with forward slashes
     */
    public boolean matches(CharSequence path) {
        return matches.test(path);
    }

    /**
     * @param anywhere whether it may begin in any folder
     */
    private static Pattern compile(String glob, boolean anywhere) {
        StringBuilder regex = new StringBuilder(anywhere ? "(?:.*/)?" : "");
        String from = glob.startsWith("/") ? glob.substring(1) : glob;
        new Translation(from, regex).run();
        return Pattern.compile(regex.toString(), Pattern.DOTALL);
    }

    private static final class Translation {
        private final String glob;
        private final boolean braces;
        private final StringBuilder regex;
        private int at;
        private int open;
        private int atomicUntil = -1;

        Translation(String glob, StringBuilder regex) {
            this.glob = glob;
            this.braces = isBalanced(glob);
            this.regex = regex;
        }

        void run() {
            while (at < glob.length()) {
                if (at == atomicUntil) {
                    regex.append(')');
                    atomicUntil = -1;
                }
                char c = glob.charAt(at++);
                switch (c) {
                    case '*' -> star();
                    case '?' -> regex.append("[^/]");
                    case '[' -> characters();
                    case '\\' -> literal(at < glob.length() ? glob.charAt(at++) : c);
                    case '{', '}', ',' -> choice(c);
                    default -> literal(c);
                }
            }
        }

        /**
         * Before another star of the same name the earliest match is as good as any, so that it is
         * never tried again: else the time to match would grow by a power of the number of stars.
         */
        private void star() {
            if (at >= glob.length() || glob.charAt(at) != '*') {
                int next = nextStar();
                regex.append(next < 0 ? "[^/]*" : "(?>[^/]*?");
                atomicUntil = next < 0 ? atomicUntil : next;
                return;
            }
            while (at < glob.length() && glob.charAt(at) == '*') {
                at++;
            }
            if (at < glob.length() && glob.charAt(at) == '/') {
                at++;
                while (glob.startsWith("**/", at)) {
                    at += 3;
                }
                regex.append("(?:.*/)?");
            } else {
                regex.append(".*");
            }
        }

        /** Where the next star of this name is; -1 if none, or if a choice may come between. */
        private int nextStar() {
            if (open > 0) {
                return -1;
            }
            for (int i = at; i < glob.length(); i++) {
                char c = glob.charAt(i);
                if (c == '*') {
                    return i;
                }
                if ("/{[\\".indexOf(c) >= 0) {
                    return -1;
                }
            }
            return -1;
        }

        private void characters() {
            int end = glob.indexOf(']', at + 1);
            if (end < 0) {
                literal('[');
                return;
            }
            String inside = glob.substring(at, end);
            at = end + 1;
            boolean not = inside.startsWith("!") || inside.startsWith("^");
            String members = not ? inside.substring(1) : inside;
            String escaped = members.replace("\\", "\\\\").replace("[", "\\[").replace("&", "\\&");
            regex.append("(?!/)[").append(not ? "^" : "").append(escaped.replace("^", "\\^"));
            regex.append(']');
        }

        private void choice(char c) {
            if (braces && c == '{') {
                open++;
                regex.append("(?:");
            } else if (braces && c == '}') {
                open--;
                regex.append(')');
            } else if (braces && open > 0) {
                regex.append('|');
            } else {
                literal(c);
            }
        }

        private void literal(char c) {
            if (!Character.isLetterOrDigit(c) && c < 128) {
                regex.append('\\');
            }
            regex.append(c);
        }

        private static boolean isBalanced(String glob) {
            int depth = 0;
            for (char c : glob.toCharArray()) {
                depth += c == '{' ? 1 : c == '}' ? -1 : 0;
                if (depth < 0) {
                    return false;
                }
            }
            return depth == 0;
        }
    }
}
