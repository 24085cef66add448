package dev.agentloop.trust;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The project's own configuration, everything in {@code .agent}: what a decision to trust it is
 * bound to.
 *
 * @param fingerprint SHA-256 of all names and contents; empty when there is nothing
 * @param files relative to the workspace, sorted
 * @param doubt why it cannot be believed whatever was decided; empty if it can
 */
public record ProjectConfig(String fingerprint, List<Path> files, String doubt) {
    /** The folder in a workspace. */
    public static final String FOLDER = ".agent";

    private static final ProjectConfig NOTHING = new ProjectConfig("", List.of(), "");
    private static final int MAX_FILES = 1_000;
    private static final long MAX_BYTES = 10_000_000; // of all files together

    /** Reads it; nothing in it is understood yet. */
    static ProjectConfig of(Path workspace) throws IOException {
        Path folder = workspace.resolve(FOLDER);
        Listing listing = new Listing();
        try {
            if (!Files.readAttributes(folder, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isDirectory()) {
                return new ProjectConfig("", List.of(), folder + " is no folder of its own");
            }
            Files.walkFileTree(folder, listing);
        } catch (NoSuchFileException e) {
            if (!folder.toString().equals(e.getFile())) {
                throw e;
            }
            return NOTHING; // perhaps by now: a run's sandbox keeps an empty one in its place
        }
        if (!listing.doubt.isEmpty()) {
            return new ProjectConfig("", List.of(), listing.doubt);
        }
        List<Path> files = new ArrayList<>();
        listing.files.stream().sorted().forEach(file -> files.add(workspace.relativize(file)));
        return new ProjectConfig(
                files.isEmpty() ? "" : fingerprint(workspace, files), List.copyOf(files), "");
    }

    /** Only plain files count: a link would let the content change without a trace here. */
    private static final class Listing extends SimpleFileVisitor<Path> {
        private final List<Path> files = new ArrayList<>();
        private long bytes;
        private String doubt = "";

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes is) {
            if (!is.isRegularFile()) {
                doubt = file + " is no plain file";
                return FileVisitResult.TERMINATE;
            }
            files.add(file);
            bytes += is.size();
            if (files.size() > MAX_FILES || bytes > MAX_BYTES) {
                doubt = FOLDER + " holds more than 1,000 files or 10 MB";
                return FileVisitResult.TERMINATE;
            }
            return FileVisitResult.CONTINUE;
        }
    }

    private static String fingerprint(Path workspace, List<Path> files) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Path file : files) {
                byte[] content = Files.readAllBytes(workspace.resolve(file));
                String head = file + "\0" + content.length + "\0";
                digest.update(head.getBytes(StandardCharsets.UTF_8));
                digest.update(content);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
