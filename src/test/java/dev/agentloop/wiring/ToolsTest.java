package dev.agentloop.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.config.ConfigLoader;
import dev.agentloop.config.ConfigSources;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.tool.Person;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.tool.Workspace;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolsTest {
    @Test
    void errorsOfRulesNameTheToolsThatThereAre(@TempDir Path folder) throws Exception {
        Tools.Parts parts =
                new Tools.Parts(
                        ConfigLoader.load(ConfigSources.of(Map.of(), folder, folder)).config(),
                        new ProcessRunner(Map.of(), List.of()),
                        Map.of(),
                        Person.NOBODY,
                        true,
                        List.of());
        List<ToolSpec> specs = Tools.builtin(parts, new Workspace(folder)).known();
        assertEquals(Tools.NAMES, specs.stream().map(ToolSpec::name).toList());
    }
}
