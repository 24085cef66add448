package dev.agentloop.config.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GivenFileTest {
    @TempDir private Path folder;

    @Test
    void aPipeByItsNameIsRefusedAndADescriptorWithAnOpenEndIsRead() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        assertThrows(IOException.class, () -> GivenFile.read(pipe, 10));

        Process sleeper =
                new ProcessBuilder("sh", "-c", "exec 3<>pipe; echo hi >&3; : >ready; sleep 15")
                        .directory(folder.toFile())
                        .start();
        Path end = Path.of("/proc/self/fd/../../" + sleeper.pid() + "/fd/3");
        while (!Files.exists(folder.resolve("ready"))) {
            Thread.sleep(5);
        }
        assertEquals("h", text(end, 0));
        sleeper.destroy();
    }

    @Test
    void noMoreThanTheMostIsRead() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "abcdef");
        assertEquals("abcd", text(file, 3));
        assertThrows(NoSuchFileException.class, () -> GivenFile.read(folder.resolve("no"), 3));
    }

    private static String text(Path file, int most) throws IOException {
        return new String(GivenFile.read(file, most), StandardCharsets.UTF_8);
    }
}
