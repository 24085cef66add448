package dev.agentloop.process;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.process.CommandOutcome.Output;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputCaptureTest {
    private static final int HEAD = 34 * 1024;
    private static final int TAIL = 17 * 1024;

    @TempDir Path folder;

    @Test
    void whatFitsIsKeptWhole() {
        for (int length : new int[] {0, 1, HEAD - 1, HEAD, HEAD + 1, HEAD + TAIL}) {
            String text = numbered(length);
            Output output = captured(text.getBytes(StandardCharsets.UTF_8));
            assertEquals(List.of(text, (long) length, 0L), facts(output));
        }
    }

    @Test
    @DisplayName("few bytes that are no text are named as such; names that end in NUL are text")
    void fewBytes() {
        assertEquals("", captured(new byte[] {0, 1, 2, 3}).text());
        assertEquals(4, captured(new byte[] {0, 1, 2, 3}).leftOut());
        byte[] names = "a.py\0b.py\0".getBytes(StandardCharsets.UTF_8);
        assertEquals(0, captured(names).leftOut());
    }

    @Test
    @Tag("B27")
    @DisplayName("of long output the head and the tail are kept and the rest is counted")
    void ofLongOutputHeadAndTailAreKept() {
        Random random = new Random(27);
        for (int round = 0; round < 50; round++) {
            int length = HEAD + TAIL + 1 + random.nextInt(200_000);
            String text = numbered(length);
            Output output = captured(text.getBytes(StandardCharsets.UTF_8), random);
            int from = text.lastIndexOf('\n', HEAD - 1) + 1;
            int to = text.indexOf('\n', length - TAIL) + 1;
            String shown = text.substring(0, from) + gap(text.substring(from, to));
            assertEquals(
                    List.of(shown + text.substring(to), (long) length, (long) to - from),
                    facts(output));
        }
    }

    private static String gap(String between) {
        return "[... %d lines omitted ...] (%d characters)\n"
                .formatted(between.lines().count(), between.length());
    }

    @Test
    @DisplayName("of one endless line the characters at both ends are kept")
    void aLongLineIsCutInside() {
        Output output = captured("y".repeat(100_000).getBytes(StandardCharsets.UTF_8));
        int left = 100_000 - HEAD - TAIL;
        String mark = "\n[... %d characters of one line omitted ...]\n".formatted(left);
        assertEquals("y".repeat(HEAD) + mark + "y".repeat(TAIL), output.text());
        assertEquals(left, output.leftOut());
    }

    @Test
    @DisplayName("what is no text is not shown: its size is told, and all of it is in a file")
    void binaryOutputIsKeptInAFile() throws IOException {
        byte[] image = new byte[3_000];
        new Random(1).nextBytes(image);
        Output output = captured(image, new OutputFolder(folder.toString(), "binary"));

        assertTrue(output.isBinary());
        assertEquals("", output.text());
        assertEquals(3_000, output.bytes());
        assertArrayEquals(image, Files.readAllBytes(Path.of(output.kept().path())));
    }

    @Test
    void namesThatEndInNulAndOldAccentsAreText() {
        String names = "src/a.java\0src/b.java\0";
        assertFalse(captured(names.getBytes(StandardCharsets.UTF_8)).isBinary());
        byte[] latin = "un café très chaud\n".repeat(9).getBytes(StandardCharsets.ISO_8859_1);
        assertFalse(captured(latin).isBinary());
    }

    @Test
    void charactersAreNotCutInTwo() {
        String text = captured("x€".repeat(40_000).getBytes(StandardCharsets.UTF_8)).text();
        assertTrue(text.indexOf('\uFFFD') < 0);
    }

    @Test
    @Tag("B28")
    @DisplayName("bytes that are not UTF-8 are replaced")
    void bytesThatAreNotUtf8AreReplaced() {
        assertEquals("a\uFFFDb", captured(new byte[] {'a', (byte) 0xFF, 'b'}).text());
    }

    @Test
    @Tag("B27")
    @DisplayName("a long output is kept whole in a file, a short one makes none")
    void aLongOutputIsKeptInAFile() throws IOException {
        OutputFolder files = new OutputFolder(folder.toString(), "kept");
        Output small = captured("x".repeat(4_000).getBytes(StandardCharsets.UTF_8), files);
        assertEquals("", small.kept().path());
        assertFalse(Files.exists(files.path()));

        String text = numbered(300_000);
        Output large = captured(text.getBytes(StandardCharsets.UTF_8), files);
        Path file = Path.of(large.kept().path());
        assertEquals(text, Files.readString(file));
        assertEquals(300_000, large.kept().bytes());
        assertEquals("rw-------", mode(file));
        assertEquals("rwx------", mode(files.path()));
        files.remove();
        assertFalse(Files.exists(files.path()));
        assertEquals("", captured(text.getBytes(StandardCharsets.UTF_8), files).kept().path());
    }

    @Test
    @Tag("B27")
    @DisplayName("a file of an endless output ends at 64 MB")
    void aFileEndsAtItsLimit() throws IOException {
        OutputFile file = new OutputFile(new OutputFolder(folder.toString(), "kept"), "stdout");
        byte[] chunk = new byte[10 * 1024 * 1024 + 1];
        for (int i = 0; i < 9; i++) {
            file.write(chunk, chunk.length);
        }
        file.close();
        assertEquals(64 * 1024 * 1024, file.kept().bytes());
        assertEquals(64 * 1024 * 1024, Files.size(Path.of(file.kept().path())));
    }

    @Test
    @Tag("B36")
    @DisplayName("where no file can be made the output is cut as before")
    void whereNoFileCanBeMadeTheOutputIsCut() throws IOException {
        Files.createFile(folder.resolve("taken"));
        OutputFolder files = new OutputFolder(folder.toString(), "taken");
        Output output = captured(numbered(100_000).getBytes(StandardCharsets.UTF_8), files);
        assertEquals("", output.kept().path());
        long left = output.leftOut() - (100_000 - HEAD - TAIL);
        assertTrue(left >= 0 && left < 20, () -> left + " bytes of torn lines");
    }

    @Test
    void whatWasTakenIsNotToldAgain() {
        OutputCapture capture = capture(new OutputFolder(folder.toString(), "kept"));
        byte[] euro = "a€".getBytes(StandardCharsets.UTF_8);
        capture.drain(new ByteArrayInputStream(euro, 0, 3));
        assertEquals(List.of("a", 1L, 0L), facts(capture.take()));
        capture.drain(new ByteArrayInputStream(euro, 3, 1));
        assertEquals(List.of("€", 3L, 0L), facts(capture.take()));
        assertEquals(List.of("", 0L, 0L), facts(capture.take()));
        capture.drain(new ByteArrayInputStream(numbered(60_000).getBytes(StandardCharsets.UTF_8)));
        Output first = capture.take();
        assertTrue(first.leftOut() >= 60_000 - HEAD - TAIL, first.text());
        capture.drain(new ByteArrayInputStream(numbered(9_000).getBytes(StandardCharsets.UTF_8)));
        Output second = capture.take();
        assertEquals(numbered(9_000), second.text());
        assertEquals(9_000, second.kept().bytes());
        assertNotEquals(first.kept().path(), second.kept().path());
    }

    private static List<Object> facts(Output output) {
        return List.of(output.text(), output.bytes(), output.leftOut());
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private OutputCapture capture(OutputFolder files) {
        return new OutputCapture(() -> new OutputFile(files, "stdout"));
    }

    private Output captured(byte[] bytes, OutputFolder files) {
        OutputCapture capture = capture(files);
        capture.drain(new ByteArrayInputStream(bytes));
        capture.close();
        return capture.output();
    }

    private Output captured(byte[] bytes) {
        return captured(bytes, new Random(1));
    }

    /** Delivers the bytes in pieces, as a pipe does. */
    private Output captured(byte[] bytes, Random random) {
        OutputCapture capture = capture(new OutputFolder(folder.toString(), "pieces"));
        InputStream pieces =
                new ByteArrayInputStream(bytes) {
                    @Override
                    public synchronized int read(byte[] into, int offset, int length) {
                        return super.read(into, offset, 1 + random.nextInt(length));
                    }
                };
        capture.drain(pieces);
        return capture.output();
    }

    private static String numbered(int length) {
        StringBuilder text = new StringBuilder();
        for (int line = 0; text.length() < length; line++) {
            text.append(line).append('\n');
        }
        return text.substring(0, length);
    }
}
