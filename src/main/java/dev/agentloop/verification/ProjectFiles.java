package dev.agentloop.verification;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Which files of a project a test, a build or a linter says something about. */
final class ProjectFiles {
    private static final Set<String> DOCUMENTS =
            Set.of("md", "mdx", "markdown", "rst", "adoc", "asciidoc", "org", "txt");
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

    /** Texts that builds, tests and programs read. */
    private static final Pattern READ_BY_PROGRAMS =
            Pattern.compile(
                    "(?i)(?:^|/)(?:CMakeLists|requirements[^/]*|constraints[^/]*|version|robots)\\.txt$"
                            + "|(?:^|/)(?:tests?|testdata|test_data|fixtures|templates|golden|snapshots)/");

    /** Files and folders that tools make, whatever the ignore rules say. */
    private static final Pattern MADE =
            Pattern.compile(
                    "(?:^|/)(?:\\.coverage|coverage\\.xml|junit[^/]*\\.xml|package-lock\\.json"
                            + "|pnpm-lock\\.yaml|go\\.sum)$|(?:^|/)(?:htmlcov|\\.mypy_cache"
                            + "|\\.ruff_cache|\\.pytest_cache|\\.tox|\\.nox|\\.venv"
                            + "|[^/]+\\.egg-info)/");

    /** Likewise, unless they are folders of the program. */
    private static final Pattern BUILT = Pattern.compile("(?:^|/)(?:dist|coverage)/");

    private static final Pattern OF_PROGRAM = Pattern.compile("(?:^|/)src/");

    private ProjectFiles() {}

    /** Whether it is a text for people, of which no check speaks. */
    static boolean isDocument(String path) {
        String ending = ending(path);
        if (ending.equals("txt") && READ_BY_PROGRAMS.matcher(path).find()) {
            return false;
        }
        return ending.isEmpty() ? PAPERS.contains(name(path)) : DOCUMENTS.contains(ending);
    }

    /** Whether a program that changed it has changed the work: no document, no output. */
    static boolean needsCheck(String path) {
        boolean made =
                MADE.matcher(path).find()
                        || BUILT.matcher(path).find() && !OF_PROGRAM.matcher(path).find();
        return !isDocument(path) && !OUTPUTS.contains(ending(path)) && !made;
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
