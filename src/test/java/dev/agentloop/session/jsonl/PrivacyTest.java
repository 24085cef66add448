package dev.agentloop.session.jsonl;

import static dev.agentloop.session.jsonl.Records.user;
import static dev.agentloop.session.jsonl.StoreFixture.refusal;
import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.session.SessionStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PrivacyTest {
    @TempDir Path temp;
    private StoreFixture fixture;

    @BeforeEach
    void store() {
        fixture = StoreFixture.in(temp);
    }

    @Test
    @Tag("D33")
    @DisplayName("folders 0700 and files 0600, whatever the umask gives others")
    void onlyTheUserMayRead() throws Exception {
        String id = fixture.saved(Records.OPENED, user("go"));
        byte[] torn = fixture.bytes(id);
        Files.write(fixture.journal(id), java.util.Arrays.copyOf(torn, torn.length - 4));
        fixture.reopened(id);
        try (Stream<Path> paths = Files.walk(fixture.root())) {
            for (Path path : paths.toList()) {
                String expected = Files.isDirectory(path) ? "rwx------" : "rw-------";
                assertEquals(expected, mode(path), path.toString());
            }
        }
    }

    @Test
    @Tag("D33")
    @DisplayName("folders and files that are too open are tightened")
    void openFoldersAreTightened() throws Exception {
        Path year = Files.createDirectories(fixture.root().resolve("2026"));
        Files.setPosixFilePermissions(fixture.root(), fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(year, fromString("rwxrwxrwx"));
        String id = fixture.saved(Records.OPENED, user("go"));
        assertEquals("rwx------", mode(fixture.root()));
        assertEquals("rwx------", mode(year));
        Files.setPosixFilePermissions(fixture.journal(id), fromString("rw-r--r--"));
        Files.setPosixFilePermissions(fixture.dir(id), fromString("rwxr-xr-x"));
        fixture.store().read(id);
        assertEquals("rw-r--r--", mode(fixture.journal(id)), "reading changes nothing");
        fixture.reopened(id);
        assertEquals("rw-------", mode(fixture.journal(id)));
        assertEquals("rwx------", mode(fixture.dir(id)));
    }

    @Test
    @Tag("D34")
    @DisplayName("planted links at each level are refused and nothing is written behind them")
    void plantedLinksAreRefused() throws Exception {
        Path elsewhere = Files.createDirectory(temp.resolve("elsewhere"));
        for (String level : List.of("", "2026", "2026/03")) {
            StoreFixture planted =
                    StoreFixture.in(Files.createDirectory(temp.resolve("t" + level.length())));
            Path link = level.isEmpty() ? planted.root() : planted.root().resolve(level);
            Files.createDirectories(link.getParent());
            Files.createSymbolicLink(link, elsewhere);
            assertTrue(
                    refusal(() -> planted.store().create())
                            .contains(link + " is a symbolic link, not a folder"));
        }
        assertEquals(List.of(), List.of(elsewhere.toFile().list()));
    }

    @Test
    @Tag("D34")
    @DisplayName("a planted lock is not followed, a planted meta.json neither")
    void plantedFilesAreNotFollowed() throws Exception {
        Path target = Files.writeString(temp.resolve("target"), "precious");
        String id = fixture.saved(Records.OPENED, user("go"));
        Path meta = fixture.dir(id).resolve("meta.json");
        Files.delete(meta);
        Files.createSymbolicLink(meta, target);
        Files.createSymbolicLink(fixture.dir(id).resolve("meta.json.tmp"), target);
        fixture.reopened(id);
        assertFalse(Files.isSymbolicLink(meta));
        assertEquals("precious", Files.readString(target));
        Path lock = fixture.dir(id).resolve("lock");
        Files.delete(lock);
        Files.createSymbolicLink(lock, target);
        assertTrue(
                refusal(() -> fixture.store().reopen(id))
                        .contains(lock + " is a symbolic link, not a file"));
        assertEquals("precious", Files.readString(target));
    }

    @Test
    @Tag("C30")
    @DisplayName("a journal that is a folder, link, pipe, missing or somebody else's")
    void whatIsNoJournalIsRefused() throws Exception {
        String id = fixture.saved(Records.OPENED, user("go"));
        Path journal = fixture.journal(id);
        Path real = Files.move(journal, temp.resolve("real"));
        assertRefused(id, journal + " does not exist");
        Files.createDirectory(journal);
        assertRefused(id, journal + " is a folder, not a file");
        Files.delete(journal);
        Files.createSymbolicLink(journal, real);
        assertRefused(id, journal + " is a symbolic link, not a file");
        Files.delete(journal);
        assumeTrue(new ProcessBuilder("mkfifo", journal.toString()).start().waitFor() == 0);
        assertRefused(id, journal + " is a pipe or device, not a file");
        Files.delete(journal);
        Files.copy(real, journal);
        assumeTrue("root".equals(System.getProperty("user.name")));
        Files.setAttribute(journal, "unix:uid", 4321);
        assertRefused(id, journal + " belongs to another user");
    }

    @Test
    @Tag("C30")
    @DisplayName("a session folder that is a link")
    void aLinkedSessionIsRefused() throws Exception {
        String id = fixture.saved(Records.OPENED, user("go"));
        Path real = Files.move(fixture.dir(id), temp.resolve("real"));
        Files.createSymbolicLink(fixture.dir(id), real);
        assertRefused(id, fixture.dir(id) + " is a symbolic link, not a folder");
    }

    private void assertRefused(String id, String why) {
        SessionStore store = fixture.store();
        String expected = "Session " + id + " cannot be used: " + why + ".";
        assertEquals(expected, refusal(() -> store.read(id)));
        assertEquals(expected, refusal(() -> store.reopen(id)));
        assertEquals("damaged", store.list().getFirst().status());
    }

    private static String mode(Path path) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
