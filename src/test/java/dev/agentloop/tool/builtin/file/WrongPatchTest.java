package dev.agentloop.tool.builtin.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.testing.ToolFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the refusal of a patch says, so that the next one can be right. */
class WrongPatchTest {
    @Test
    @DisplayName("a patch that is wrong in several files shows what is wrong in each of them")
    void severalFilesAreWrong(@TempDir Path root) throws IOException {
        ToolFixture tools = ToolFixture.in(root);
        Path first = tools.write("a.txt", "one\ntwo\n");
        tools.write("b.txt", "three\nfour\n");
        tools.write("c.txt", "five and more\n");
        String text =
                tools.call(
                                "apply_patch",
                                "patch",
                                """
                                *** Begin Patch
                                *** Update File: a.txt
                                -one
                                +1
                                *** Update File: b.txt
                                 three
                                -fuor
                                +4
                                *** Update File: b.txt
                                -three
                                +3
                                *** Update File: missing.txt
                                -x
                                +y
                                *** Update File: c.txt
                                -fvie and more
                                +5
                                *** End Patch
                                """)
                        .text();
        assertTrue(text.contains("\nfour") && text.contains("\nfive and more"), text);
        assertTrue(text.contains("missing.txt"), text);
        assertEquals(1, text.split("Nothing was changed", -1).length - 1, text);
        assertTrue(text.endsWith("\nNothing was changed."), text); // on no line of a file
        assertEquals("one\ntwo\n", Files.readString(first));
    }
}
