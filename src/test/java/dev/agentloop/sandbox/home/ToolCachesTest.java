package dev.agentloop.sandbox.home;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolCachesTest {
    @TempDir private Path home;

    @BeforeEach
    void useNpm() throws IOException {
        Files.createDirectories(home.resolve(".npm/_cacache"));
        Files.createDirectories(home.resolve(".cache/uv"));
        Files.createFile(home.resolve(".cache/uv/CACHEDIR.TAG"));
    }

    private Map<String, String> caches(
            Map<String, String> environment, boolean network, Path... writable) {
        return ToolCaches.of(home, environment, List.of(writable), network, Path.of("/tmp"));
    }

    @Test
    void whatTheUsersCachesHoldIsFoundWhereThereIsNoNetwork() {
        assertEquals(Map.of("GOCACHE", "/tmp/caches/go-build"), caches(Map.of(), false));
    }

    @Test
    void withANetworkEachCanBeFilledAnew() {
        Map<String, String> all =
                Map.of(
                        "GOCACHE", "/tmp/caches/go-build",
                        "npm_config_cache", "/tmp/caches/npm",
                        "UV_CACHE_DIR", "/tmp/caches/uv");
        assertEquals(all, caches(Map.of(), true));
    }

    @Test
    void whatTheUserHasSetOrMadeWritableStays() {
        Map<String, String> set = Map.of("NPM_CONFIG_CACHE", "/x", "GOCACHE", "/y");
        assertEquals(Set.of("UV_CACHE_DIR"), caches(set, true).keySet());
        assertEquals(
                Set.of("npm_config_cache"),
                caches(Map.of(), true, home.resolve(".cache")).keySet());
    }
}
