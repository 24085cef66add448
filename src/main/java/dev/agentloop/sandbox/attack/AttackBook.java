package dev.agentloop.sandbox.attack;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * All attacks, read from the text files of the folder {@code attacks} in the jar. A file begins
 * with {@code title:} and perhaps {@code workspace: home}; {@code == NAME} begins an attack; below
 * it stand {@code expect TIER: OUTCOME}, {@code needs: PROGRAMS} and the parts {@code -- before},
 * {@code -- attack} and {@code -- after}. A part {@code -- first}, before any attack, is text that
 * all parts of the file begin with.
 */
public final class AttackBook {
    private static final String FOLDER = "/attacks/";
    private static final String INDEX = "index.txt"; // names of the files, a line each

    private AttackBook() {}

    /** Every class of attacks, in the order of the table. */
    public static List<AttackClass> all() throws IOException {
        List<AttackClass> classes = new ArrayList<>();
        for (String name : text(INDEX).split("\\s+")) {
            classes.add(new Reader(name).read(text(name + ".txt")));
        }
        return classes;
    }

    private static String text(String file) throws IOException {
        try (InputStream in = AttackBook.class.getResourceAsStream(FOLDER + file)) {
            if (in == null) {
                throw new IOException("the jar has no file " + FOLDER + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Reads one file, line by line. */
    private static final class Reader {
        private final String file;
        private final List<Attack> attacks = new ArrayList<>();
        private final StringBuilder first = new StringBuilder();
        private final Map<String, Attack.Outcome> expected = new HashMap<>();
        private final StringBuilder before = new StringBuilder();
        private final List<StringBuilder> commands = new ArrayList<>();
        private final StringBuilder after = new StringBuilder();
        private List<String> needs = List.of();
        private StringBuilder part = new StringBuilder();
        private String title = "";
        private String name = "";
        private boolean inPart;
        private boolean home;

        Reader(String file) {
            this.file = file;
        }

        AttackClass read(String text) throws IOException {
            for (String line : text.split("\n")) {
                if (line.startsWith("== ")) {
                    finish();
                    name = line.substring(3).strip();
                } else if (line.startsWith("-- ")) {
                    begin(line.substring(3).strip());
                } else if (inPart) {
                    part.append(line).append('\n');
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    header(line);
                }
            }
            finish();
            return new AttackClass(file, title, home, List.copyOf(attacks));
        }

        private void begin(String which) throws IOException {
            inPart = true;
            switch (which) {
                case "first" -> part = first;
                case "before" -> part = before.append(first);
                case "after" -> part = after.append(first);
                case "attack" -> {
                    part = new StringBuilder(first);
                    commands.add(part);
                }
                default -> throw unreadable("-- " + which);
            }
        }

        private void header(String line) throws IOException {
            String[] parts = line.split(": *", 2);
            if (parts.length < 2) {
                throw unreadable(line);
            }
            String value = parts[1].strip();
            switch (parts[0]) {
                case "title" -> title = value;
                case "workspace" -> home = value.equals("home");
                case "needs" -> needs = List.of(value.split(" +"));
                default -> {
                    if (!parts[0].startsWith("expect ")) {
                        throw unreadable(line);
                    }
                    expected.put(parts[0].substring("expect ".length()), outcome(value));
                }
            }
        }

        private Attack.Outcome outcome(String word) throws IOException {
            try {
                return Attack.Outcome.valueOf(word.toUpperCase(Locale.ROOT));
            } catch (IllegalArgumentException e) {
                throw new IOException(file + ": no outcome is called " + word, e);
            }
        }

        private IOException unreadable(String line) {
            return new IOException(file + ": what is \"" + line + "\"?");
        }

        private void finish() throws IOException {
            if (!name.isEmpty()) {
                if (commands.isEmpty()) {
                    throw unreadable("== " + name);
                }
                List<String> texts = commands.stream().map(StringBuilder::toString).toList();
                attacks.add(
                        new Attack(
                                name,
                                Map.copyOf(expected),
                                needs,
                                before.toString(),
                                texts,
                                after.toString()));
            }
            expected.clear();
            needs = List.of();
            before.setLength(0);
            after.setLength(0);
            commands.clear();
            inPart = false;
        }
    }
}
