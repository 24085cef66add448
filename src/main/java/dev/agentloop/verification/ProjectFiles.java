package dev.agentloop.verification;

import java.util.Locale;
import java.util.Set;

/** Which files of a project a test, a build or a linter says something about. */
final class ProjectFiles {
    private static final Set<String> DOCUMENTS =
            Set.of("md", "mdx", "markdown", "rst", "adoc", "asciidoc", "org", "txt", "tex", "po");
    private static final Set<String> PAPERS = // files without an ending
            Set.of("license", "licence", "notice", "authors", "changelog", "readme", "copying");

    /** What programs write beside their work, where no ignore rule names it. */
    private static final Set<String> OUTPUTS =
            Set.of(
                    ("log out err csv tsv pid lock tmp bak swp orig rej db sqlite sqlite3 pyc pyo o"
                                    + " obj a so dylib dll exe class jar war whl egg zip gz tgz tar"
                                    + " xz png jpg jpeg gif webp pdf coverage lcov prof trace dump"
                                    + " cache tsbuildinfo")
                            .split(" "));

    private ProjectFiles() {}

    /** Whether it is a text for people, of which no check speaks. */
    static boolean isDocument(String path) {
        String ending = ending(path);
        return ending.isEmpty() ? PAPERS.contains(name(path)) : DOCUMENTS.contains(ending);
    }

    /** Whether a program that changed it has changed the work: no document, no output. */
    static boolean needsCheck(String path) {
        return !isDocument(path)
                && !OUTPUTS.contains(ending(path))
                && !name(path).equals(".coverage");
    }

    private static String ending(String path) {
        String name = name(path);
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(dot + 1) : "";
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    }
}
