package dev.agentloop.controlfile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where links lead, and where whoever follows them gives up. */
class LinkChainTest {
    @TempDir Path temp;

    private Path root;

    @BeforeEach
    void realFolder() throws IOException {
        root = temp.toRealPath();
    }

    private LinkChain link(String name, String text) throws IOException {
        Files.createSymbolicLink(root.resolve(name), Path.of(text));
        return LinkChain.of(root, Path.of(name));
    }

    @Test
    void linksAreFollowedToWhatTheyMean() throws IOException {
        link("b", "folder/../c");
        LinkChain chain = link("a", "./b");

        assertEquals(root.resolve("c"), chain.target());
        assertEquals(2, chain.links().size());
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.SECONDS)
    void aLinkOfThousandsOfItsOwnNamesIsALoop() throws IOException {
        LinkChain chain = link("l", "l/".repeat(2000) + "x");

        assertEquals(40, chain.links().size());
        assertEquals(root.resolve("l"), chain.target());
    }

    @Test
    void noPathIsLongerThanTheKernelsLongest() throws IOException {
        Files.createDirectories(root.resolve("d"));
        for (int i = 0; i < 30; i++) {
            link("l" + i, "d/" + "x/".repeat(700) + "../".repeat(700) + "../l" + (i + 1));
        }
        LinkChain chain = LinkChain.of(root, Path.of("l0"));

        assertTrue(chain.target().toString().length() <= 4096 + 255, chain.target().toString());
        assertTrue(chain.links().size() < 30);
    }
}
