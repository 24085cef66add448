package dev.agentloop.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class SimilarTest {
    @Test
    void nearNamesComeFirstAndStrangersNotAtAll() {
        assertEquals(List.of("file_path"), Similar.to("path", List.of("offset", "file_path"), 3));
        assertEquals(
                List.of("main.py", "mian.py"),
                Similar.to("Main.py", List.of("zebra.txt", "mian.py", "main.py"), 3));
        assertEquals(List.of(), Similar.to("completely", List.of("different", "x"), 3));
    }
}
