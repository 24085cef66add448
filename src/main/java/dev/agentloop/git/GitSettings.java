package dev.agentloop.git;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Settings of a repository and of its user that change what git answers and name no program: they
 * are taken by value. All others are unknown to what we ask, above all filters, hooks, monitors,
 * drivers, transports, includes and whatever later versions of git will have.
 */
final class GitSettings {
    private static final Pattern HARMLESS =
            Pattern.compile(
                    "core\\.(?:filemode|symlinks|ignorecase|autocrlf|eol|checkroundtripencoding"
                            + "|precomposeunicode|trustctime|checkstat|sharedrepository|excludesfile"
                            + "|attributesfile|sparsecheckout|sparsecheckoutcone|protecthfs"
                            + "|protectntfs|logallrefupdates|abbrev|longpaths)"
                            + "|index\\.sparse"
                            + "|i18n\\.commitencoding"
                            + "|(?:user|author|committer)\\.(?:name|email)"
                            + "|user\\.useconfigonly"
                            + "|branch\\..+\\.(?:remote|merge)"
                            + "|remote\\..+\\.fetch",
                    Pattern.DOTALL);

    /** Keys of files that git knows without them, and what those are called then. */
    private static final Map<String, String> USER_FILES =
            Map.of("core.excludesfile", "ignore", "core.attributesfile", "attributes");

    private static final String FORMAT = "extensions.objectformat";
    private static final String REFS = "extensions.refstorage";
    private static final char UNREADABLE =
            '\uFFFD'; // what decoding makes of bytes that are no text

    private final List<Map.Entry<String, String>> values = new ArrayList<>();
    private boolean tables;

    /**
     * @param listed what {@code git config -z --list} has printed
     */
    public static GitSettings of(String listed) {
        GitSettings settings = new GitSettings();
        for (String entry : listed.split("\0")) {
            int end = entry.indexOf('\n'); // a key without a value has none, and means "true"
            String key = end < 0 ? entry : entry.substring(0, end);
            settings.take(key, end < 0 ? "true" : entry.substring(end + 1));
        }
        return settings;
    }

    /** Of a repository whose objects have names of this many letters. */
    static GitSettings forObjects(int letters) {
        GitSettings settings = new GitSettings();
        settings.take(FORMAT, letters == 64 ? "sha256" : "sha1");
        return settings;
    }

    private void take(String key, String value) {
        String lower = key.toLowerCase(Locale.ROOT);
        if (lower.equals(REFS)) {
            tables = value.equals("reftable");
        }
        boolean format = lower.equals(FORMAT) && value.matches("sha1|sha256");
        boolean text = key.indexOf(UNREADABLE) < 0 && value.indexOf(UNREADABLE) < 0;
        if (text && (format || HARMLESS.matcher(key).matches())) {
            values.add(Map.entry(key, value));
        }
    }

    /**
     * Names the user's own files of patterns and attributes in full. What asks with these settings
     * has another home, so that git finds no settings of the user there.
     *
     * @param home of the user; empty if it is not known
     * @param configuration folder in which git has one, as XDG_CONFIG_HOME says; empty for the
     *     usual
     */
    void resolveUserFiles(String home, String configuration) {
        String usual = home.isEmpty() ? "" : home + "/.config";
        String folder = configuration.isEmpty() ? usual : configuration;
        for (Map.Entry<String, String> file : USER_FILES.entrySet()) {
            Optional<String> named = value(file.getKey());
            if (named.isEmpty() && !folder.isEmpty()) {
                values.add(Map.entry(file.getKey(), folder + "/git/" + file.getValue()));
            } else if (named.filter(name -> name.startsWith("~/")).isPresent()) {
                values.add(Map.entry(file.getKey(), home + named.get().substring(1)));
            }
        }
    }

    /** Whether branches are kept in tables instead of files. */
    boolean hasTables() {
        return tables;
    }

    /** The value that git uses for a setting: the last one of that name. */
    Optional<String> value(String key) {
        return values.stream()
                .filter(one -> one.getKey().equals(key))
                .map(Map.Entry::getValue)
                .reduce((_, last) -> last);
    }

    /** A file of settings with these, and with those that switch off what needs no answer. */
    String file() throws IOException {
        boolean extended = tables || value(FORMAT).filter("sha256"::equals).isPresent();
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, String> one : values) {
            boolean old = one.getKey().equals(FORMAT) && !extended;
            text.append(old ? "" : line(one.getKey(), one.getValue()));
        }
        text.append(tables ? line(REFS, "reftable") : "");
        text.append(line("core.repositoryformatversion", extended ? "1" : "0"));
        text.append(line("core.bare", "false"));
        text.append(line("core.fsmonitor", "false"));
        text.append(line("core.untrackedcache", "false"));
        text.append(line("core.splitindex", "false"));
        text.append(line("core.hookspath", "/dev/null"));
        return text.toString();
    }

    private static String line(String key, String value) throws IOException {
        int first = key.indexOf('.');
        int last = key.lastIndexOf('.');
        if (first < 0 || value.indexOf('\0') >= 0 || key.indexOf('\n') >= 0) {
            throw new IOException("git has a setting without a name");
        }
        String sub = first == last ? "" : " " + quoted(key.substring(first + 1, last));
        return "[%s%s]\n\t%s = %s\n"
                .formatted(key.substring(0, first), sub, key.substring(last + 1), quoted(value));
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }
}
