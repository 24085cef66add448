package dev.agentloop.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.tool.call.SchemaWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SwitchAgentToolTest {
    @Test
    void theSchemaIsThatOfTheArguments() throws IOException {
        Path file = Path.of("src/main/resources/schemas/tools/switch_agent.json");
        String schema = SchemaWriter.schemaOf(SwitchAgentTool.Args.class) + "\n";
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(file, schema);
        }
        assertEquals(schema, Files.readString(file));
    }

    @Test
    void onlyTheAgentsOfWhoeverWorksAreNamed() {
        Roster roster = new Roster("plan", Map.of("build", "Does the task."));
        SwitchAgentTool tool = new SwitchAgentTool(roster);
        assertTrue(tool.spec().description().endsWith("\n- build: Does the task."));

        roster.want(new Roster.Wish("build", false));
        assertEquals(Optional.of(new Roster.Wish("build", false)), roster.takeWanted());
        assertEquals(Optional.empty(), roster.takeWanted());
        roster.switchTo("build", Map.of());
        assertFalse(tool.isOffered());
    }
}
