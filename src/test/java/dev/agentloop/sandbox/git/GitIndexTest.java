package dev.agentloop.sandbox.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an index names is seen, in every form in which git writes one. */
class GitIndexTest {
    @TempDir Path temp;

    private byte[] index(String name) throws IOException {
        return Files.readAllBytes(temp.resolve("ws/r/.git").resolve(name));
    }

    private static byte[] with(byte[] index, String one, String other) {
        String text = new String(index, StandardCharsets.ISO_8859_1);
        assertTrue(text.contains(one), one);
        return text.replace(one, other).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static List<String> dangers(byte[] index) {
        return GitIndex.of(index).orElseThrow().dangers();
    }

    @ParameterizedTest
    @CsvSource({"sha1,2", "sha1,4", "sha256,2", "sha256,4"})
    @DisplayName("what git has written is in order, a name that leads into a .git or out is not")
    void namesAreSeen(String format, int version) throws Exception {
        WatchedRepository repository = WatchedRepository.in(temp);
        repository.sh(
                "git init -q --object-format=%s r; cd r; git update-index --index-version %d;"
                                .formatted(format, version)
                        + " mkdir -p d/e; echo 1 >a; echo 1 >d/e/f; echo 1 >....; git add .;"
                        + " git update-index --add --cacheinfo 160000,$(git hash-object a),sub");
        byte[] index = index("index");

        assertEquals(List.of(), dangers(index));
        assertEquals(List.of("sub"), GitIndex.of(index).orElseThrow().links());
        assertTrue(dangers(with(index, "....\0", ".git\0")).getFirst().contains(".git"));
        assertNotEquals(List.of(), dangers(with(index, "d/e/f", "../ef")));
        assertNotEquals(List.of(), dangers(with(index, "d/e/f", "/d/ef")));
    }

    @Test
    @DisplayName("most names of a split index are in another file, which it names")
    void splitIndexesAreSeen() throws Exception {
        WatchedRepository repository = WatchedRepository.in(temp);
        repository.sh(
                "git init -q r; cd r; echo 1 >a; echo 1 >b; git add .;"
                        + " git update-index --split-index; echo 2 >b; git add b");
        GitIndex index = GitIndex.of(index("index")).orElseThrow();

        assertEquals(List.of(), index.dangers());
        assertEquals(1, index.shared().size());
        assertEquals(List.of(), dangers(index(index.shared().getFirst())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"IEOT", "EOIE"})
    @DisplayName("where an index says that its entries are is where they are, or it is not read")
    void tablesOfEntriesAreChecked(String table) throws Exception {
        WatchedRepository repository = WatchedRepository.in(temp);
        repository.sh(
                "git init -q r; cd r; git config index.threads 4; seq 21000 | xargs touch; git add .");
        byte[] index = index("index");

        assertEquals(List.of(), dangers(index));
        int at = new String(index, StandardCharsets.ISO_8859_1).lastIndexOf(table);
        index[at + (table.equals("IEOT") ? 15 : 11)] ^= 8; // the last byte of the first offset
        assertTrue(GitIndex.of(index).isEmpty());
    }
}
