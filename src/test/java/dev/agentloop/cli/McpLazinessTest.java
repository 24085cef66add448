package dev.agentloop.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.Main;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whoever has no MCP server pays nothing for them. */
class McpLazinessTest {
    @Test
    @Timeout(60)
    @DisplayName("without a server nothing of the MCP client is loaded")
    void nothingIsLoaded(@TempDir Path home) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xlog:class+load",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName(),
                                "tools",
                                "list",
                                "-C",
                                home.toString())
                        .redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", System.getenv("PATH"));
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().put("HOME", home.toString());
        builder.environment().put("XDG_CONFIG_HOME", home.resolve("config").toString());
        builder.environment().put("XDG_STATE_HOME", home.resolve("state").toString());
        Process java = builder.start();
        String out = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        String printed = out.replaceAll("(?m)^.*\\[class,load\\].*\\n", "");
        assertEquals(0, java.waitFor(), printed);
        assertTrue(printed.contains("web_fetch"), printed);
        assertTrue(out.contains("dev.agentloop.wiring.run.McpServers "), printed);
        assertFalse(out.contains("dev.agentloop.mcp."), printed);
    }
}
