package dev.agentloop.search;

import java.util.regex.Pattern;

/**
 * A file pattern: {@code *} and {@code ?} stay within a name, {@code **} crosses folders, {@code
 * [a-z]} and {@code {a,b}} choose. Without a slash it speaks about the name at any depth.
 */
public final class Glob {
    private final Pattern pattern;

    private Glob(Pattern pattern) {
        this.pattern = pattern;
    }

    public static Glob of(String glob) {
        String plain = glob;
        while (plain.startsWith("./")) {
            plain = plain.substring(2);
        }
        boolean anywhere = plain.indexOf('/') < 0;
        return new Glob(compile(plain, anywhere));
    }

    /**
     * @param path relative, with forward slashes
     */
    public boolean matches(CharSequence path) {
        return pattern.matcher(path).matches();
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

        Translation(String glob, StringBuilder regex) {
            this.glob = glob;
            this.braces = isBalanced(glob);
            this.regex = regex;
        }

        void run() {
            while (at < glob.length()) {
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

        private void star() {
            if (at >= glob.length() || glob.charAt(at) != '*') {
                regex.append("[^/]*");
                return;
            }
            while (at < glob.length() && glob.charAt(at) == '*') {
                at++;
            }
            if (at < glob.length() && glob.charAt(at) == '/') {
                at++;
                regex.append("(?:.*/)?");
            } else {
                regex.append(".*");
            }
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
