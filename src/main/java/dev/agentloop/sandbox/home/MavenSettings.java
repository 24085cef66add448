package dev.agentloop.sandbox.home;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Maven's {@code settings.xml}: whether commands may read it. */
final class MavenSettings {
    /** A comment, an instruction, or the beginning or end of an element. */
    private static final Pattern MARKUP =
            Pattern.compile("(?s)<!--(.*?)-->|<\\?.*?\\?>|<(/?)([A-Za-z_][\\w.:-]*)([^<>]*?)(/?)>");

    /** An element whose name says that it holds a secret, with text in it that is no variable. */
    private static final Pattern SECRET =
            Pattern.compile(
                    "(?i)<([\\w.:-]*(?:password|passwd|pwd|passphrase|privatekey|token|secret"
                            + "|(?:api|access)[-_.]?key|authorization)[\\w.:-]*)(?:\\s[^>]*)?>"
                            + "\\s*(?!\\$\\{[\\w.-]+}\\s*<)([^<\\s][^<]*)<");

    /** A header of requests whose value is a secret. */
    private static final Pattern HEADER =
            Pattern.compile(
                    "(?i)<name>[^<]*(auth|token|key|cookie|secret|password)[^<]*</name>\\s*<value>"
                            + "\\s*(?!\\$\\{[\\w.-]+}\\s*<)[^<\\s]");

    /** In comments of the file that comes with Maven, which many people start with. */
    private static final Set<String> EXAMPLES =
            Set.of(
                    "repopwd",
                    "proxypass",
                    "/path/to/private/key",
                    "optional; leave empty if not used.");

    private MavenSettings() {}

    /** Whether it is XML and holds nothing like a password, also not in a comment. */
    static boolean areHarmless(String text) {
        if (!isXml(text) || Secrets.areIn(text) || HEADER.matcher(text).find()) {
            return false;
        }
        Matcher secret = SECRET.matcher(text);
        while (secret.find()) {
            if (!EXAMPLES.contains(secret.group(2).strip())) {
                return false;
            }
        }
        return true;
    }

    /**
     * Each element is closed and text stands only in one; no declarations, which could bring in
     * other text. A parser of the platform would cost each first command tens of milliseconds.
     */
    private static boolean isXml(String text) {
        Deque<String> open = new ArrayDeque<>();
        String rest = text.startsWith("\u00ef\u00bb\u00bf") ? text.substring(3) : text;
        int elements = 0;
        int at = 0;
        Matcher markup = MARKUP.matcher(rest);
        while (markup.find()) {
            if (!isText(rest.substring(at, markup.start()), open)) {
                return false;
            }
            at = markup.end();
            String name = markup.group(3);
            if (name == null) {
                continue;
            }
            elements++;
            if (!markup.group(2).isEmpty()) {
                if (!name.equals(open.poll())) {
                    return false;
                }
            } else if (markup.group(5).isEmpty()) {
                open.push(name);
            }
        }
        return elements > 0 && open.isEmpty() && isText(rest.substring(at), open);
    }

    private static boolean isText(String text, Deque<String> open) {
        return text.indexOf('<') < 0 && (text.isBlank() || !open.isEmpty());
    }
}
