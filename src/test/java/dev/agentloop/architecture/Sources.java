package dev.agentloop.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The source files as the architecture tests read them. */
record Sources(Path root) {
    static final Sources MAIN = new Sources(Path.of("src/main/java"));

    /** Comments and literals: what they name is not used. */
    private static final Pattern NOT_CODE =
            Pattern.compile(
                    "(?s)\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\])+'"
                            + "|//[^\\n]*|/\\*.*?\\*/");

    /** One file. */
    record Source(Path file, String text) {
        String code() {
            return NOT_CODE.matcher(text).replaceAll("");
        }

        /** Below {@code dev.agentloop}, e.g. {@code llm.http}; empty for the root. */
        String packageName() {
            String folder = String.valueOf(file.getParent()).replace('/', '.');
            return folder.replaceFirst("^.*dev\\.agentloop\\.?", "");
        }

        @Override
        public String toString() {
            return file.toString();
        }
    }

    List<Source> files() {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .map(file -> new Source(file, read(file)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
