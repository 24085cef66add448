package dev.agentloop.controlfile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Groups of control files, by what reads them. Their names stand in the file {@code names.txt} of
 * the jar, with the reasons why a name belongs there or not.
 *
 * <p>What runs only when somebody builds, tests or starts the project is no control file but the
 * work itself: build files, sources, settings of linters that are source code, container files.
 */
public enum ControlGroup {
    /** Never written by any tool. */
    OWN("git's and this program's own folder"),
    AGENTS("instructions and settings of agents"),
    EDITORS("settings of editors, language servers and debuggers"),
    HOOKS("hooks of git and their managers, settings of other version control"),

    /** Their programs run with rights and secrets of a server: denied where nobody watches. */
    PIPELINES("pipelines of CI, services that publish, robots of a repository"),
    ENVIRONMENTS("what loads an environment by itself"),
    WRAPPERS("wrapper scripts and their settings"),
    PACKAGES("settings of package managers"),
    SHELLS("what shells, desktops and common commands read at the start");

    private static final String FILE = "/controlfile/names.txt";
    private static final Map<ControlGroup, List<String>> NAMES = read();

    private static final Comparator<ControlGroup> STRICT =
            Comparator.comparingInt(group -> group == OWN ? 2 : group == PIPELINES ? 1 : 0);

    private final String meaning;

    ControlGroup(String meaning) {
        this.meaning = meaning;
    }

    private static Map<ControlGroup, List<String>> read() {
        Map<ControlGroup, List<String>> names = new EnumMap<>(ControlGroup.class);
        List<String> section = new ArrayList<>();
        for (String line : text().split("\n")) {
            if (line.startsWith("[")) {
                section = new ArrayList<>();
                String group = line.substring(1, line.length() - 1).toUpperCase(Locale.ROOT);
                names.put(valueOf(group), section);
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                section.addAll(List.of(line.split(" ")));
            }
        }
        return names;
    }

    private static String text() {
        try (InputStream in = ControlGroup.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException("the jar has no file " + FILE);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of two the one that is written under stricter rules. */
    public static Optional<ControlGroup> stricter(
            Optional<ControlGroup> one, Optional<ControlGroup> other) {
        return Stream.of(one, other).flatMap(Optional::stream).max(STRICT);
    }

    /** What the files of this group do, in the words of a question to a person. */
    public String meaning() {
        return meaning;
    }

    /** In lower case; {@code a/b} is {@code b} in a folder {@code a}, a star is at one end. */
    public List<String> names() {
        return NAMES.getOrDefault(this, List.of());
    }
}
