package dev.agentloop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is loaded at each start, seen from a fresh process. */
class StartUpTest {
    @TempDir Path folder;

    /** Loads the configuration of a home and prints nothing. */
    static final class Probe {
        private Probe() {}

        public static void main(String[] args) {
            Path home = Path.of(args[0]);
            ConfigLoader.load(ConfigSources.of(Map.of(), home.resolve("home"), home.resolve("ws")));
        }
    }

    @Test
    @Timeout(60)
    void withoutFilesNeitherYamlNorTheModelDataIsTouched() throws Exception {
        new ConfigFixture(folder);
        String classes = loaded();

        assertTrue(classes.contains("dev.agentloop.config.ConfigLoader"));
        assertFalse(classes.contains("org.yaml."), classes);
        assertFalse(classes.contains("dev.agentloop.config.catalog"), classes);
        assertFalse(classes.contains("com.fasterxml"), classes);
    }

    @Test
    @Timeout(60)
    void withAFileYamlIsLoaded() throws Exception {
        new ConfigFixture(folder).user("limits: {max_steps: 3}");

        assertTrue(loaded().contains("org.yaml.snakeyaml.parser.ParserImpl"));
    }

    private String loaded() throws Exception {
        Process java =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xlog:class+load",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Probe.class.getName(),
                                folder.toString())
                        .redirectErrorStream(true)
                        .start();
        String out = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, java.waitFor(), out);
        return out;
    }
}
