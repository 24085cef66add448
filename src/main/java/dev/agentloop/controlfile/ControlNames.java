package dev.agentloop.controlfile;

import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a name is one of {@link ControlGroup}, in every spelling that some file system takes for
 * it.
 */
public final class ControlNames {
    private static final Map<String, ControlGroup> SINGLE = new HashMap<>();
    private static final Map<String, Map<String, ControlGroup>> IN_FOLDER = new HashMap<>();
    private static final Map<Character, List<Pattern>> STARTS = new HashMap<>();
    private static final List<Pattern> ENDS = new ArrayList<>();

    /**
     * A name with a star at one end.
     *
     * @param folder that the name must lie in, see {@link #folder}; empty for any
     */
    private record Pattern(String folder, String start, String end, ControlGroup group) {
        boolean matches(String before, String name) {
            return name.startsWith(start)
                    && name.endsWith(end)
                    && (folder.isEmpty() || folder.equals(before));
        }
    }

    /** Of builds: what stands there runs when somebody builds or tests the project. */
    private static final Set<String> BUILD =
            Set.of(
                    "package.json",
                    "pom.xml",
                    "build.gradle",
                    "build.gradle.kts",
                    "settings.gradle",
                    "settings.gradle.kts",
                    "makefile",
                    "gnumakefile",
                    "justfile",
                    "cmakelists.txt",
                    "meson.build",
                    "setup.py",
                    "setup.cfg",
                    "pyproject.toml",
                    "tox.ini",
                    "noxfile.py",
                    "conftest.py",
                    "build.rs",
                    "cargo.toml",
                    "rakefile",
                    "gemfile",
                    "composer.json",
                    "dockerfile",
                    "build.xml",
                    "build.sbt",
                    "gruntfile.js",
                    "gulpfile.js");

    static {
        for (ControlGroup group : ControlGroup.values()) {
            group.names().forEach(name -> declare(name, group));
        }
    }

    private ControlNames() {}

    private static void declare(String declared, ControlGroup group) {
        int slash = declared.lastIndexOf('/');
        String folder = slash < 0 ? "" : declared.substring(0, slash);
        String name = declared.substring(slash + 1);
        if (slash >= 0) {
            IN_FOLDER.computeIfAbsent(folder, _ -> new HashMap<>());
        }
        if (name.endsWith("*")) {
            String start = name.substring(0, name.length() - 1);
            STARTS.computeIfAbsent(start.charAt(0), _ -> new ArrayList<>())
                    .add(new Pattern(folder, start, "", group));
        } else if (name.startsWith("*")) {
            ENDS.add(new Pattern(folder, "", name.substring(1), group));
        } else if (slash >= 0) {
            IN_FOLDER.computeIfAbsent(folder, _ -> new HashMap<>()).put(name, group);
        } else {
            SINGLE.put(name, group);
        }
    }

    /** Whether the next build or test runs what stands in the file. */
    public static boolean isOfBuild(Path relative) {
        Path name = relative.getFileName();
        return name != null && BUILD.contains(plain(name.toString()));
    }

    /** Whether the path is, or is in, a folder of git's or of this program. */
    public static boolean isOwn(Path relative) {
        for (Path name : relative) {
            if (SINGLE.get(plain(name.toString())) == ControlGroup.OWN) {
                return true;
            }
        }
        return false;
    }

    /**
     * What a path belongs to that is, or is in, a control file by its name; the first name of it
     * decides, but what is this program's own or git's anywhere in it counts more.
     *
     * @param relative to the workspace
     */
    public static Optional<ControlGroup> groupOf(Path relative) {
        if (isOwn(relative)) {
            return Optional.of(ControlGroup.OWN);
        }
        for (int i = 0; i < relative.getNameCount(); i++) {
            String before = i == 0 ? "" : folder(relative.subpath(0, i));
            Optional<ControlGroup> group = groupIn(before, plain(relative.getName(i).toString()));
            if (group.isPresent()) {
                return group;
            }
        }
        return Optional.empty();
    }

    /**
     * A folder as {@link #groupIn} wants it: its name, with that of the folder around it where both
     * decide.
     *
     * @param relative to the workspace, not empty
     */
    static String folder(Path relative) {
        int last = relative.getNameCount() - 1;
        String name = plain(relative.getName(last).toString());
        String two = last == 0 ? name : plain(relative.getName(last - 1).toString()) + "/" + name;
        return IN_FOLDER.containsKey(two) ? two : name;
    }

    /** What the name of a file or folder says, as {@link #plain}, in a {@link #folder}. */
    static Optional<ControlGroup> groupIn(String folder, String name) {
        ControlGroup single = SINGLE.get(name);
        if (single == null) {
            single = IN_FOLDER.getOrDefault(folder, Map.of()).get(name);
        }
        if (single != null) {
            return Optional.of(single);
        }
        if (!name.isEmpty()) {
            for (Pattern pattern : STARTS.getOrDefault(name.charAt(0), List.of())) {
                if (pattern.matches(folder, name)) {
                    return Optional.of(pattern.group);
                }
            }
        }
        for (Pattern pattern : ENDS) {
            if (pattern.matches(folder, name)) {
                return Optional.of(pattern.group);
            }
        }
        return Optional.empty();
    }

    /** Whether a folder of this name may hold control files that have no such name elsewhere. */
    static boolean isFolderOfSome(String name) {
        return IN_FOLDER.containsKey(name);
    }

    /**
     * Whether names mean something in the folder because of its own, so that whoever is given it
     * alone would not know them. Names that projects use for other things count where such a file
     * is there.
     *
     * @param folder a real path
     */
    public static boolean isAroundSome(Path folder) {
        String name = folder(Path.of("/").relativize(folder));
        return isFolderOfSome(name)
                && (name.startsWith(".")
                        || namesIn(name).stream().anyMatch(in -> Files.exists(folder.resolve(in))));
    }

    /** The exact names that are control files only in a folder of this name. */
    static Set<String> namesIn(String folder) {
        return IN_FOLDER.getOrDefault(folder, Map.of()).keySet();
    }

    /** As the most forgiving file system reads it: case, compatibility forms, trailing dots. */
    static String plain(String name) {
        return isPlainAscii(name) ? cut(name.toLowerCase(Locale.ROOT)) : cut(folded(name));
    }

    private static boolean isPlainAscii(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) > '~' || name.charAt(i) < ' ') {
                return false;
            }
        }
        return true;
    }

    private static String folded(String name) {
        String folded = Normalizer.normalize(name, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
        StringBuilder plain = new StringBuilder();
        folded.codePoints()
                .filter(c -> Character.getType(c) != Character.FORMAT) // HFS+ skips them
                .forEach(plain::appendCodePoint);
        return plain.toString();
    }

    private static String cut(String name) {
        int end = name.length();
        while (end > 0 && (name.charAt(end - 1) == '.' || name.charAt(end - 1) == ' ')) {
            end--;
        }
        return name.substring(0, end);
    }
}
