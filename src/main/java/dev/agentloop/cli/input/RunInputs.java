package dev.agentloop.cli.input;

import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.schema.JsonSchema;
import dev.agentloop.message.Image;
import dev.agentloop.tool.ImageHeader;
import dev.agentloop.wiring.run.StructuredAnswer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** What a run gets besides its words: the schema of its answer, and images. */
public record RunInputs(Optional<StructuredAnswer> answer, List<Image> images) {
    private static final int MAX_SCHEMA_BYTES = 1 << 20;
    private static final int MAX_IMAGE_BYTES = 5 << 20; // the strictest provider's limit
    private static final int MAX_IMAGES = 20;

    /**
     * @param hasPrompt whether there is a message that images could belong to
     */
    public static RunInputs read(ParseResult arguments, Path directory, boolean hasPrompt)
            throws UsageException {
        List<String> files = RunOption.IMAGE.texts(arguments);
        if (files.size() > MAX_IMAGES) {
            throw new UsageException("--image: at most " + MAX_IMAGES + " images.");
        }
        if (!files.isEmpty() && !hasPrompt) {
            throw new UsageException("--image needs a prompt that says what to do with it.");
        }
        List<Image> images = new ArrayList<>();
        for (String file : files) {
            images.add(image(file, bytes("--image", file, directory, MAX_IMAGE_BYTES)));
        }
        return new RunInputs(answer(arguments, directory), List.copyOf(images));
    }

    private static Optional<StructuredAnswer> answer(ParseResult arguments, Path directory)
            throws UsageException {
        if (!RunOption.JSON_SCHEMA.isGiven(arguments)) {
            return Optional.empty();
        }
        String given = RunOption.JSON_SCHEMA.text(arguments);
        boolean inline = given.stripLeading().startsWith("{");
        String text =
                inline
                        ? given
                        : new String(
                                bytes("--json-schema", given, directory, MAX_SCHEMA_BYTES),
                                StandardCharsets.UTF_8);
        try {
            return Optional.of(new StructuredAnswer(JsonSchema.of(text)));
        } catch (JsonException | IllegalArgumentException e) {
            throw new UsageException(
                    "--json-schema" + (inline ? "" : " " + given) + ": " + e.getMessage() + ".");
        }
    }

    private static byte[] bytes(String option, String file, Path directory, int max)
            throws UsageException {
        try {
            Path path = directory.resolve(file);
            if (!Files.isRegularFile(path)) {
                throw new UsageException(option + " " + file + " is not a file.");
            }
            if (Files.size(path) > max) {
                throw new UsageException(
                        option + " " + file + " is larger than " + (max >> 20) + " MB.");
            }
            return Files.readAllBytes(path);
        } catch (IOException | InvalidPathException e) {
            throw new UsageException(option + " " + file + " cannot be read: " + e.getMessage());
        }
    }

    private static Image image(String file, byte[] bytes) throws UsageException {
        Optional<ImageHeader.Kind> kind = ImageHeader.of(bytes);
        if (kind.isEmpty()) {
            throw new UsageException("--image " + file + " is not a PNG, JPEG, GIF or WebP image.");
        }
        if (!kind.get().hasSize()) {
            throw new UsageException(
                    "--image "
                            + file
                            + " is damaged or cut off: it begins as "
                            + kind.get().mediaType()
                            + ", but does not say how large it is.");
        }
        if (kind.get().tooLarge()) {
            throw new UsageException(
                    "--image "
                            + file
                            + " is more than 8000 pixels wide or high, which providers refuse. Make a"
                            + " smaller copy.");
        }
        return new Image(kind.get().mediaType(), Base64.getEncoder().encodeToString(bytes));
    }
}
