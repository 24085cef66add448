package dev.agentloop.shell.program;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The commands of the resource {@code commands/dangers.txt}: those that destroy something, and
 * those that show it to others. The file says how it is written.
 */
public final class Catalogue {
    private static final String PUBLISHES = "publishes";

    private static @Nullable Catalogue loaded;

    private final Map<String, List<Line>> lines = new HashMap<>();
    private final List<Line> wild = new ArrayList<>();

    /**
     * One line of the file for one program.
     *
     * @param name of the program; may end with a star
     * @param what for a person; {@code publishes} if it shows something to others
     */
    private record Line(String name, String what, CommandPattern pattern) {}

    private Catalogue() {
        String what = "";
        for (String line : text("dangers.txt").lines().toList()) {
            if (line.startsWith("[")) {
                what = line.substring(1, line.length() - 1);
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                int colon = line.indexOf(": ");
                CommandPattern pattern = new CommandPattern(line.substring(colon + 2));
                for (String name : line.substring(0, colon).split("\\|")) {
                    Line one = new Line(name, what, pattern);
                    if (name.endsWith("*")) {
                        wild.add(one);
                    } else {
                        lines.computeIfAbsent(name, _ -> new ArrayList<>(1)).add(one);
                    }
                }
            }
        }
    }

    private static synchronized Catalogue get() {
        Catalogue catalogue = loaded;
        if (catalogue == null) {
            catalogue = new Catalogue();
            loaded = catalogue;
        }
        return catalogue;
    }

    /** Whether the file speaks about a program. */
    public static boolean names(String program) {
        return !get().about(program).isEmpty();
    }

    /**
     * What the command destroys, for a person; empty if nothing.
     *
     * @param program its name without folders
     * @param words those after it
     * @param read what else it reads as text, e.g. from a pipe
     */
    public static Set<String> dangers(String program, List<String> words, String read) {
        Set<String> dangers = get().matching(program, words, read);
        dangers.remove(PUBLISHES);
        return dangers;
    }

    /** Not empty if the command shows something to others. */
    public static Set<String> publishing(String program, List<String> words) {
        Set<String> matching = get().matching(program, words, "");
        matching.retainAll(Set.of(PUBLISHES));
        return matching;
    }

    private Set<String> matching(String program, List<String> words, String read) {
        Set<String> found = new LinkedHashSet<>();
        List<Line> about = about(program);
        if (about.isEmpty()) {
            return found;
        }
        List<Subcommand> readings = Subcommand.readings(program, words);
        for (Line line : about) {
            if (!found.contains(line.what())
                    && readings.stream().anyMatch(one -> line.pattern().matches(one, read))) {
                found.add(line.what());
            }
        }
        return found;
    }

    private List<Line> about(String program) {
        List<Line> about = new ArrayList<>(lines.getOrDefault(program, List.of()));
        for (Line line : wild) {
            if (program.startsWith(line.name().substring(0, line.name().length() - 1))) {
                about.add(line);
            }
        }
        return about;
    }

    static String text(String resource) {
        try (InputStream in = Catalogue.class.getResourceAsStream("/commands/" + resource)) {
            if (in == null) {
                throw new IllegalStateException("the program lacks its file commands/" + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
