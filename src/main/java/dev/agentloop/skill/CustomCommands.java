package dev.agentloop.skill;

import dev.agentloop.config.key.Suggestion;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.config.source.FrontMatter;
import dev.agentloop.prompt.GuidanceSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tasks that a person has written down: {@code commands/NAME.md}, run by {@code /NAME words}. The
 * words are put into the text and nothing else is: no file is read for it and nothing is run.
 */
public final class CustomCommands {
    private static final String SUFFIX = ".md";
    private static final int MAX_FILE = 256 * 1024; // bytes
    private static final Pattern CALL =
            Pattern.compile("/([A-Za-z][A-Za-z0-9_-]*)(?:\\s+(.*))?", Pattern.DOTALL);
    private static final Pattern PLACE = Pattern.compile("\\$(ARGUMENTS\\b|[1-9](?![0-9]))");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

    private final Map<String, Found> commands = new TreeMap<>();

    private record Found(Path file, Path root, String source) {}

    /**
     * A command, for people.
     *
     * @param description may be empty
     * @param source {@code user} or {@code project}
     */
    public record Entry(String name, String description, String source) {}

    /** Finds their names; of two with one name the user's counts. */
    public CustomCommands(SkillPlaces places) {
        places.project()
                .ifPresent(project ->
                        find(project.folder().resolve("commands"), project.workspace(), "project"));
        Path own = places.user().resolve("commands");
        find(own, own, "user");
    }

    private void find(Path folder, Path root, String source) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                commands.put(
                        name.substring(0, name.length() - SUFFIX.length()),
                        new Found(file, root, source));
            }
        } catch (IOException e) {
            throw unreadable(folder, e);
        }
    }

    /** Whether a text is a call of a command by its form: a word after a slash, and no path. */
    public static boolean looksLikeOne(String prompt) {
        return CALL.matcher(prompt.strip()).matches();
    }

    /**
     * The task that a call stands for; empty if it names no command.
     *
     * @throws ConfigException if the command's file cannot be read or is wrong
     */
    public Optional<String> expand(String prompt) {
        Matcher call = CALL.matcher(prompt.strip());
        if (!call.matches() || !commands.containsKey(call.group(1))) {
            return Optional.empty();
        }
        String words = call.group(2) == null ? "" : call.group(2).strip();
        return Optional.of(filled(read(call.group(1)).body(), words));
    }

    /** Commands that were probably meant, as {@code ; did you mean "x"?}; may be empty. */
    public String meant(String prompt) {
        Matcher call = CALL.matcher(prompt.strip());
        return call.matches() ? Suggestion.among(call.group(1), commands.keySet()) : "";
    }

    /**
     * All of them by name; one that is broken hides no other.
     *
     * @param leftOut gets what is wrong with a command, for people
     */
    public List<Entry> entries(List<String> leftOut) {
        List<Entry> entries = new ArrayList<>();
        commands.forEach((name, found) -> {
            try {
                entries.add(new Entry(name, header(name), found.source()));
            } catch (ConfigException e) {
                leftOut.add(String.valueOf(e.getMessage()));
            }
        });
        return entries;
    }

    /** The text of one, with its places still open; empty if there is none. */
    public Optional<String> text(String name) {
        return commands.containsKey(name) ? Optional.of(read(name).body()) : Optional.empty();
    }

    private String header(String name) {
        return read(name)
                .texts(found(name).file().toString(), List.of("description"), List.of())
                .getOrDefault("description", "");
    }

    private Found found(String name) {
        Found found = commands.get(name);
        if (found == null) {
            throw new IllegalArgumentException(name);
        }
        return found;
    }

    private FrontMatter read(String name) {
        Found found = found(name);
        try {
            Path file = found.source().equals("user") ? found.file().toRealPath() : found.file();
            Path root = found.source().equals("user") ? folder(file) : found.root();
            byte[] bytes =
                    GuidanceSource.folder(root)
                            .read(file, MAX_FILE + 1)
                            .orElseThrow(() -> new IOException("not there"));
            if (bytes.length > MAX_FILE) {
                throw new IOException("larger than 256 KB");
            }
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            FrontMatter matter = FrontMatter.split(found.file().toString(), text);
            matter.texts(found.file().toString(), List.of("description"), List.of());
            return matter;
        } catch (IOException e) {
            throw unreadable(found.file(), e);
        }
    }

    private static Path folder(Path file) throws IOException {
        Path folder = file.getParent();
        if (folder == null) {
            throw new IOException("in no folder");
        }
        return folder;
    }

    private static ConfigException unreadable(Path file, IOException e) {
        return new ConfigException(
                "", "cannot be read: " + e.getMessage(), "Correct that.", file.toString());
    }

    /** Words that have no place in the text stand below it, so that none is lost. */
    private static String filled(String text, String words) {
        List<String> each = new ArrayList<>();
        Matcher word = WORD.matcher(words);
        while (word.find()) {
            String quoted = word.group(1) == null ? word.group(2) : word.group(1);
            each.add(quoted == null ? word.group(3) : quoted);
        }
        Matcher place = PLACE.matcher(text);
        boolean any = place.find();
        String filled =
                place.reset()
                        .replaceAll(found -> {
                            String what = found.group(1);
                            String value = what.equals("ARGUMENTS") ? words : nth(each, what);
                            return Matcher.quoteReplacement(value);
                        });
        return any || words.isEmpty() ? filled : filled + "\n\n" + words;
    }

    private static String nth(List<String> words, String number) {
        int index = Integer.parseInt(number) - 1;
        return index < words.size() ? words.get(index) : "";
    }
}
