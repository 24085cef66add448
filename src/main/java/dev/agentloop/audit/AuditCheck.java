package dev.agentloop.audit;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether an audit log is whole.
 *
 * @param lines that were read
 * @param problem what is wrong with which line; empty if the chain holds
 * @param seal of the last line: whoever notes it elsewhere sees later that nothing behind it is
 *     missing
 */
public record AuditCheck(int lines, String problem, String seal) {

    /** Reads the whole file. */
    public static AuditCheck of(Path file) throws IOException {
        String before = "";
        int lines = 0;
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines++;
                String problem = problem(line, before);
                if (!problem.isEmpty()) {
                    return new AuditCheck(lines, "line " + lines + " " + problem, "");
                }
                before = line;
            }
        }
        return new AuditCheck(lines, "", Seal.of(before));
    }

    private static String problem(String line, String before) {
        try {
            JsonValue entry = Json.parse(line);
            return entry.at("before").textOr("").equals(Seal.of(before))
                    ? ""
                    : "does not follow the line before it: one of them was changed, or lines are"
                            + " missing between them";
        } catch (JsonException e) {
            return "is not whole: " + e.getMessage();
        }
    }
}
