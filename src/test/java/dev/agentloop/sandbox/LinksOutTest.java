package dev.agentloop.sandbox;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.storage.HeldFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A project holds links where git and this program have to look: they bring nothing in sight. */
class LinksOutTest {
    private static final Path BWRAP = Path.of("/usr/bin/bwrap");

    @TempDir(factory = OutsideTmp.class)
    Path root;

    private SandboxWorld open(String tier) throws IOException {
        boolean bubblewrap = tier.equals("BWRAP");
        assumeTrue(!bubblewrap || Files.isExecutable(BWRAP), "no bubblewrap here");
        assumeTrue(bubblewrap || LandlockSandbox.trouble().isEmpty(), "no Landlock here");
        return new SandboxWorld(
                root,
                "ws",
                all -> bubblewrap ? new BwrapSandbox(BWRAP, all) : new LandlockSandbox(all));
    }

    @ParameterizedTest
    @CsvSource({
        "BWRAP,hooks,.ssh",
        "BWRAP,modules/foo/hooks,.ssh",
        "BWRAP,modules/foo/hooks,.config/agent",
        "LANDLOCK,hooks,.ssh",
        "LANDLOCK,modules/foo/hooks,.config/agent"
    })
    @DisplayName("a folder of hooks that is a link into the home does not show what is there")
    void hooksAreALink(String tier, String hooks, String secret) throws IOException {
        Path git = repository("ws/.git");
        repository("ws/.git/modules/foo");
        try (SandboxWorld world = open(tier)) {
            Files.createSymbolicLink(git.resolve(hooks), world.home.resolve(secret));
            String seen = world.all("cat ~/" + secret + "/* .git/" + hooks + "/*");

            assertFalse(seen.contains("canary"), seen);
        }
    }

    @ParameterizedTest
    @CsvSource({"BWRAP", "LANDLOCK"})
    @DisplayName("a folder is in sight as one that objects are borrowed from only if it is one")
    void borrowedObjects(String tier) throws IOException {
        Path git = repository("ws/.git");
        try (SandboxWorld world = open(tier)) {
            Files.createDirectories(world.home.resolve("private"));
            Files.writeString(world.home.resolve("private/diary"), "diary-canary\n");
            Files.createSymbolicLink(
                    world.workspace.resolve("objects"), world.home.resolve("private"));
            repository("home/store");
            Files.writeString(root.resolve("home/store/objects/one"), "of the store\n");
            Files.createDirectories(git.resolve("objects/info"));
            Files.writeString(
                    git.resolve("objects/info/alternates"),
                    world.workspace.resolve("objects") + "\n../../../home/store/objects\n");
            String seen = world.all("cat ~/private/diary objects/diary ~/store/objects/one");

            assertFalse(seen.contains("canary"), seen);
            assertTrue(seen.contains("of the store"), seen);
        }
    }

    @Test
    @DisplayName("a placeholder is not removed behind a link that has come meanwhile")
    void placeholderBehindALink() throws IOException {
        Path workspace = Files.createDirectories(root.resolve("ws"));
        Path hooks = Files.createDirectories(root.resolve("outside/hooks"));
        Files.createSymbolicLink(workspace.resolve("foo"), root.resolve("outside"));

        assertFalse(MountedPlaceholders.remove(List.of(workspace), workspace.resolve("foo/hooks")));
        assertTrue(Files.isDirectory(hooks));
        Path own = Files.createDirectories(workspace.resolve("bar/hooks"));
        assertTrue(MountedPlaceholders.remove(List.of(workspace), own));
        assertFalse(Files.exists(own));
    }

    @Test
    @DisplayName(
            "a link is put back into the folder that was checked, whatever stands there by now")
    void linkIntoAHeldFolder() throws IOException {
        Path workspace = Files.createDirectories(root.resolve("ws")).toRealPath();
        Path folder = Files.createDirectories(workspace.resolve("cfg"));
        Path outside = Files.createDirectories(root.resolve("outside"));
        try (HeldFolder held = HeldFolder.of(workspace, folder.resolve("rules"))) {
            Files.move(folder, workspace.resolve("moved"));
            Files.createSymbolicLink(folder, outside);
            held.link(folder.resolve("rules"), Path.of("../real"), workspace);
        }

        assertFalse(Files.exists(outside.resolve("rules"), LinkOption.NOFOLLOW_LINKS));
        assertTrue(Files.isSymbolicLink(workspace.resolve("moved/rules")));
        try (var left = Files.list(workspace)) {
            assertTrue(left.noneMatch(path -> path.toString().contains("agent-link")));
        }
    }

    private Path repository(String name) throws IOException {
        Path git = Files.createDirectories(root.resolve(name));
        Files.createDirectories(git.resolve("objects"));
        Files.createDirectories(git.resolve("refs"));
        Files.writeString(git.resolve("HEAD"), "ref: refs/heads/main\n");
        Files.writeString(git.resolve("config"), "[core]\n");
        return git;
    }
}
