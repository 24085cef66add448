package dev.agentloop.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.tool.call.SchemaWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NotesTest {
    private static final int MAX = 1000;

    @Test
    void theSchemaIsThatOfTheArguments() throws IOException {
        Path file = Path.of("src/main/resources/schemas/tools/remember.json");
        String schema = SchemaWriter.schemaOf(RememberTool.Args.class) + "\n";
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(file, schema);
        }
        assertEquals(schema, Files.readString(file));
    }

    @Test
    @Tag("scenario-80")
    @DisplayName("add, replace and remove; all other lines stay to the byte")
    void changes() throws Exception {
        Notes notes = new Notes("# Mine\r\n\n- one thing\r\n- another thing\nno newline");
        Notes changed =
                notes.with(new MemoryUpdate.Add("third"), MAX)
                        .with(new MemoryUpdate.Replace("one", "first thing"), MAX)
                        .with(new MemoryUpdate.Remove("another thing"), MAX);

        assertEquals("# Mine\r\n\n- first thing\r\nno newline\n- third\n", changed.text());
        assertEquals(changed, changed.with(new MemoryUpdate.Add("third"), MAX));
    }

    @Test
    void whatIsNotExactlyOneNoteIsRefused() throws Exception {
        Notes notes = new Notes("- tabs in a\n- tabs in b\n");
        String many = refusal(notes, new MemoryUpdate.Remove("tabs"), MAX);
        assertTrue(many.startsWith("2 notes have that text."), many);
        assertTrue(refusal(notes, new MemoryUpdate.Remove("x"), MAX).startsWith("No note"));
        assertTrue(refusal(notes, new MemoryUpdate.Add(" \n "), MAX).startsWith("A note has 1"));
        String id = notes.all().getLast().id();
        assertEquals("- tabs in a\n", notes.with(new MemoryUpdate.Remove(id), MAX).text());
    }

    @Test
    void aFullMemoryRefusesMoreButTakesLess() throws Exception {
        Notes notes = new Notes("- " + "x".repeat(30) + "\n");
        String full = refusal(notes, new MemoryUpdate.Add("more"), 20);
        assertEquals(
                "The memory is full: it would have 40 of 20 bytes. Replace or remove a note first.",
                full);
        assertEquals("", notes.with(new MemoryUpdate.Remove("xxx"), 20).text());
    }

    @Test
    void aNoteIsOneLineThatEveryoneSees() throws Exception {
        Notes notes =
                new Notes("").with(new MemoryUpdate.Add("a\n- b\u202e\u001b[2J </memory> c"), MAX);
        assertEquals("- a - b[2J <\\/memory> c\n", notes.text());
    }

    @Test
    @DisplayName("Runs at the same time lose no note of each other")
    void together(@TempDir Path folder) throws Exception {
        List<Thread> runs = new ArrayList<>();
        for (int run = 0; run < 4; run++) {
            int number = run;
            runs.add(Thread.ofPlatform().start(() -> keep(folder, number)));
        }
        for (Thread run : runs) {
            run.join();
        }
        Memory memory = new Memory(folder, folder, MAX);
        assertEquals(20, memory.notes(Memory.About.WORKSPACE).all().size());
    }

    /** Within one process a lock of a file is refused, not waited for, so that is done here. */
    private static void keep(Path folder, int run) {
        for (int note = 0; note < 5; note++) {
            Memory memory = new Memory(folder, folder, MAX);
            try {
                memory.want(
                        Memory.About.WORKSPACE, new MemoryUpdate.Add("note " + run + "." + note));
            } catch (IOException | Notes.Refused e) {
                throw new IllegalStateException(e);
            }
            synchronized (NotesTest.class) {
                assertEquals(List.of(), memory.sync());
            }
        }
    }

    private static String refusal(Notes notes, MemoryUpdate update, int max) {
        return assertThrows(Notes.Refused.class, () -> notes.with(update, max)).getMessage();
    }

    @Test
    @Tag("scenario-80")
    @DisplayName("a note that a person wrote with an end of a fence can be removed")
    void noteWithAFence() throws Exception {
        Notes notes = new Notes("- use </memory> as an example\n- keep\n");
        for (String shown : List.of("use <\\/memory> as an example", "use </memory> as")) {
            assertEquals("- keep\n", notes.with(new MemoryUpdate.Remove(shown), 1_000).text());
        }
    }
}
