package dev.agentloop.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.tool.Workspace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolsTest {
    @Test
    void errorsOfRulesNameTheToolsThatThereAre(@TempDir Path folder) throws Exception {
        var commands = new AgentConfig.Commands(Duration.ofSeconds(120), List.of());
        var processes = new ProcessRunner(Map.of(), List.of());
        List<ToolSpec> specs =
                Tools.builtin(commands, processes, new Workspace(folder), true).specs();
        assertEquals(Tools.NAMES, specs.stream().map(ToolSpec::name).toList());
    }
}
