package dev.agentloop.search;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** What a search leaves out: folders that hold no sources, and what {@code .gitignore} names. */
public final class IgnoreRules {
    private static final Set<String> NEVER_SOURCES =
            Set.of(".git", ".hg", ".svn", "node_modules", "target", "__pycache__");
    private static final int MAX_BYTES = 256 * 1024; // an ignore file is text for people

    private final List<Rule> rules;

    private IgnoreRules(List<Rule> rules) {
        this.rules = rules;
    }

    private record Rule(String base, Pattern pattern, boolean negated, boolean folderOnly) {
        boolean matches(String relative, boolean folder, Deadline deadline) {
            return (folder || !folderOnly)
                    && relative.startsWith(base)
                    && pattern.matcher(deadline.guard(relative.substring(base.length()))).matches();
        }
    }

    /** Only the folders that are always left out. */
    public static IgnoreRules usual() {
        return new IgnoreRules(List.of());
    }

    /**
     * These rules and those of the ignore file in {@code folder}, if there is one.
     *
     * @param relative the folder as seen from the root: empty, or ending with a slash
     */
    public IgnoreRules in(Path folder, String relative) throws IOException {
        Path file = folder.resolve(".gitignore");
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                || !Files.isReadable(file)
                || Files.size(file) > MAX_BYTES) {
            return this;
        }
        List<Rule> all = new ArrayList<>(rules);
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        text.lines().forEach(line -> add(all, line, relative));
        return new IgnoreRules(all);
    }

    /** The last rule that speaks wins, as in git. */
    public boolean ignores(String relative, boolean folder, Deadline deadline) {
        if (folder && NEVER_SOURCES.contains(relative.substring(relative.lastIndexOf('/') + 1))) {
            return true;
        }
        for (int i = rules.size() - 1; i >= 0; i--) {
            if (rules.get(i).matches(relative, folder, deadline)) {
                return !rules.get(i).negated();
            }
        }
        return false;
    }

    private static void add(List<Rule> rules, String line, String base) {
        String glob = line.endsWith("\\ ") ? line : line.stripTrailing();
        if (glob.isEmpty() || glob.startsWith("#")) {
            return;
        }
        boolean negated = glob.startsWith("!");
        glob = negated ? glob.substring(1) : glob;
        boolean folderOnly = glob.endsWith("/");
        glob = folderOnly ? glob.substring(0, glob.length() - 1) : glob;
        try {
            Pattern pattern = Glob.compile(glob, glob.indexOf('/') < 0, false);
            rules.add(new Rule(base, pattern, negated, folderOnly));
        } catch (PatternSyntaxException e) {
            // git ignores what it cannot read; so do we
        }
    }
}
