package dev.agentloop.cli.chat;

import dev.agentloop.output.SafeText;
import dev.agentloop.tool.ImageHeader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The images that a person names in a task, so that the model sees them beside it: by {@code
 * @shot.png}, or by a path that a terminal types when a file is dropped on it, in quotes or with
 * backslashes before blanks. A path without one of these marks counts if it leads to an image.
 */
final class NamedImages {
    private static final int MOST = 20;
    private static final long MOST_BYTES = 5 << 20; // as of --image
    private static final int HEADER = 1 << 18; // bytes: a photo says its size behind its preview

    private static final String NAME = "\\.(?i:png|jpe?g|gif|webp)";
    private static final Pattern NAMED =
            Pattern.compile(
                    "'([^'\\n]{1,4000}"
                            + NAME
                            + ")'|\"([^\"\\n]{1,4000}"
                            + NAME
                            + ")\"|(?<!\\S)@?((?:\\\\.|[^\\s\\\\'\"]){1,4000}"
                            + NAME
                            + ")(?=[\\s,;:.!?)]|$)");

    private NamedImages() {}

    /**
     * An image that a task names and that is on the disk.
     *
     * @param trouble why no model can be shown it; empty if it can
     */
    record Named(Path path, String trouble) {}

    /** Those that the model can be shown; says of each whether it is. */
    static List<Path> shown(String task, Path folder, Path home, Consumer<String> says) {
        List<Path> shown = new ArrayList<>();
        for (Named image : in(task, folder, home)) {
            String name = SafeText.line(image.path().getFileName().toString());
            if (image.trouble().isEmpty()) {
                shown.add(image.path());
                says.accept("With the image " + name + "\n");
            } else {
                says.accept(
                        "The model is not shown " + name + ": it is " + image.trouble() + ".\n");
            }
        }
        return shown;
    }

    /** The images that a task names, each once, in the order of its text. */
    static List<Named> in(String task, Path folder, Path home) {
        Map<Path, Named> found = new LinkedHashMap<>();
        Matcher named = NAMED.matcher(task);
        while (named.find() && found.size() < MOST) {
            String quoted = named.group(1) == null ? named.group(2) : named.group(1);
            String text = quoted == null ? named.group(3).replaceAll("\\\\(.)", "$1") : quoted;
            path(text, folder, home)
                    .ifPresent(path ->
                            image(path).ifPresent(kind -> found.put(path, named(path, kind))));
        }
        return List.copyOf(found.values());
    }

    private static Named named(Path path, ImageHeader.Kind kind) {
        boolean large = path.toFile().length() > MOST_BYTES;
        return new Named(
                path,
                large
                        ? "larger than 5 MB"
                        : !kind.hasSize()
                                ? "damaged or cut off"
                                : kind.tooLarge() ? "more than 8000 pixels wide or high" : "");
    }

    private static Optional<Path> path(String text, Path folder, Path home) {
        try {
            return Optional.of(
                    text.startsWith("~/")
                            ? home.resolve(text.substring(2))
                            : folder.resolve(text).normalize());
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** Empty for what is no image or cannot be read: then the text is a word like any other. */
    private static Optional<ImageHeader.Kind> image(Path path) {
        if (!Files.isRegularFile(path)) {
            return Optional.empty();
        }
        try (InputStream bytes = Files.newInputStream(path)) {
            return ImageHeader.of(bytes.readNBytes(HEADER));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
