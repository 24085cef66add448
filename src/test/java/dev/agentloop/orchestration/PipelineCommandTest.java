package dev.agentloop.orchestration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.agentloop.testing.GitShell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Variables of a pipeline in its commands, as a shell reads them. */
class PipelineCommandTest {
    @ParameterizedTest
    @DisplayName("pipeline: what a variable holds is never run, however its command is written")
    @ValueSource(
            strings = {
                "x; touch ran",
                "$(touch ran)",
                "`touch ran`",
                "'; touch ran; '",
                "\"; touch ran; \"",
                "a\ntouch ran",
                "\\'; touch ran #"
            })
    void injection(String value, @TempDir Path folder) throws Exception {
        for (String text :
                new String[] {
                    "printf %s {{a}}", "printf %s \"$(printf %s \"{{ a }}\")\"", "cat <<E\n{{a}}\nE"
                }) {
            GitShell.run(folder, PipelineRun.command(text, Map.of("a", value)));
            assertFalse(Files.exists(folder.resolve("ran")), text);
        }
        String quoted = PipelineRun.command("printf %s \"{{a}}-{{b}}{{a}}\"", Map.of("a", value));
        assertEquals(value + "-" + value, GitShell.read(folder, quoted));
    }
}
