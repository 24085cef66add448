package dev.agentloop.tool.call;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.tool.Doc;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SchemaWriterTest {
    record Edit(@Doc("Old") String oldString) {}

    record Arguments(
            @Doc("Where") String filePath,
            @Doc(
                            value = "How",
                            optional = true,
                            oneOf = {"a", "b"})
                    @Nullable String mode,
            @Doc(value = "", optional = true) @Nullable List<Edit> edits) {}

    @Test
    void theSchemaKeepsTheOrderOfTheRecord() {
        assertEquals(
                """
                {"type":"object","properties":{\
                "file_path":{"type":"string","description":"Where"},\
                "mode":{"type":"string","description":"How","enum":["a","b"]},\
                "edits":{"type":"array","items":{"type":"object","properties":{\
                "old_string":{"type":"string","description":"Old"}},\
                "required":["old_string"]}}},\
                "required":["file_path"]}\
                """,
                SchemaWriter.schemaOf(Arguments.class));
    }
}
