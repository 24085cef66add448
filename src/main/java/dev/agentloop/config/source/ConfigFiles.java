package dev.agentloop.config.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where configuration files are, and their text when they may be believed. */
public final class ConfigFiles {
    private static final int MAX_BYTES = 1_000_000; // a real one has a few thousand

    private ConfigFiles() {}

    /** A relative XDG_CONFIG_HOME is ignored, as its specification says. */
    public static Path user(Map<String, String> environment, Path home) {
        String xdg = environment.getOrDefault("XDG_CONFIG_HOME", "");
        Path base =
                !xdg.isBlank() && Path.of(xdg).isAbsolute()
                        ? Path.of(xdg)
                        : home.resolve(".config");
        return base.resolve("agent").resolve("config.yaml");
    }

    /** The file with nothing but the policy that stands beside a configuration file. */
    public static Path policy(Path config) {
        return config.resolveSibling("policy.yaml");
    }

    /** The folder with agents that stands beside a configuration file. */
    public static Path agents(Path config) {
        return config.resolveSibling("agents");
    }

    public static Path project(Path workspace) {
        return workspace.resolve(".agent").resolve("config.yaml");
    }

    /**
     * The text of a file; empty when there is none.
     *
     * @param warnings gets a line when others may write to the file
     */
    public static Optional<String> read(Origin.Kind layer, Path file, List<String> warnings) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            if (!attributes.isRegularFile()) {
                throw unusable(file, "is not a regular file");
            }
            if (layer != Origin.Kind.PROJECT_FILE) {
                checkOwner(layer, file, warnings);
            }
            return Optional.of(text(file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (AccessDeniedException e) {
            throw unusable(file, "cannot be read: permission denied");
        } catch (IOException e) {
            throw unusable(file, "cannot be read: " + e.getMessage());
        }
    }

    /** Whoever may write the file decides what runs: only its user and root may own it. */
    private static void checkOwner(Origin.Kind layer, Path file, List<String> warnings)
            throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view == null) {
            return; // no such rights on this file system
        }
        PosixFileAttributes attributes = view.readAttributes();
        String owner = attributes.owner().getName();
        if (layer == Origin.Kind.USER_FILE && !owner.equals("root") && !owner.equals(me())) {
            throw unusable(file, "belongs to another user, " + owner);
        }
        if (attributes.permissions().contains(PosixFilePermission.OTHERS_WRITE)
                || attributes.permissions().contains(PosixFilePermission.GROUP_WRITE)) {
            warnings.add("Others may write to " + file + "; chmod go-w closes it.");
        }
    }

    /** By the process, not by a variable that anything may set. */
    private static String me() throws IOException {
        Path self = Path.of("/proc/self");
        return Files.exists(self)
                ? Files.getOwner(self).getName()
                : System.getProperty("user.name", "");
    }

    private static String text(Path file) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        }
        if (bytes.length > MAX_BYTES) {
            throw unusable(file, "is larger than 1 MB");
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        try {
            String text =
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .onMalformedInput(CodingErrorAction.REPORT)
                            .onUnmappableCharacter(CodingErrorAction.REPORT)
                            .decode(buffer)
                            .toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            int line = 1;
            for (int i = 0; i < buffer.position(); i++) {
                line += bytes[i] == '\n' ? 1 : 0;
            }
            throw unusable(file + ":" + line, "is not UTF-8 text");
        }
    }

    private static ConfigException unusable(Object place, String problem) {
        return new ConfigException(
                "", problem, "Correct the file, or move it away.", place.toString());
    }
}
