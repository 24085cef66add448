package dev.agentloop.audit;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether an audit log is whole.
 *
 * @param lines that were read
 * @param problem what is wrong with which line; empty if the chain holds
 * @param note what a killed run has left; empty for nothing
 * @param seal of the last line: whoever notes it elsewhere sees later that nothing behind it is
 *     missing
 */
public record AuditCheck(int lines, String problem, String note, String seal) {
    private static final String CUT =
            "the last decision was cut off when its run was killed; the next one completes it";
    private static final String UNWRITTEN =
            "a run was killed before it had written its last decision";

    /**
     * Reads the whole file.
     *
     * @param heads folder in which the ends of logs are noted
     */
    public static AuditCheck of(Path file, Path heads) throws IOException {
        AuditHead head = new AuditHead(heads, file);
        AuditHead.Known known = head.read().orElse(null);
        Set<String> seals = new HashSet<>();
        String before = "";
        int lines = 0;
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines++;
                boolean cut = known != null && known.isCut(line) && isLast(reader);
                if (cut) {
                    return new AuditCheck(lines - 1, "", CUT, Seal.of(before));
                }
                String problem = problem(line, before);
                if (!problem.isEmpty()) {
                    return new AuditCheck(lines, "line " + lines + " " + problem, "", "");
                }
                before = line;
                seals.add(Seal.of(line));
            }
        }
        String problem = atEnd(known, before, seals, head);
        boolean unwritten =
                known != null && !known.next().isEmpty() && !known.next().equals(before);
        String note = problem.isEmpty() && unwritten ? UNWRITTEN : "";
        return new AuditCheck(lines, problem, note, problem.isEmpty() ? Seal.of(before) : "");
    }

    private static boolean isLast(BufferedReader reader) throws IOException {
        reader.mark(1);
        boolean last = reader.read() < 0;
        if (!last) {
            reader.reset();
        }
        return last;
    }

    private static String atEnd(
            AuditHead.@Nullable Known known, String last, Set<String> seals, AuditHead head) {
        if (known == null) {
            return "";
        }
        String remedy =
                ". If you have moved or changed the log yourself, remove "
                        + head.file()
                        + " to begin anew";
        if (!known.problem().isEmpty()) {
            return known.problem() + remedy;
        }
        if (known.isEnd(last)) {
            return "";
        }
        return (seals.contains(known.seal())
                        ? "something else has added lines behind the last one of this program"
                        : "it does not end with the last line of this program: that was changed,"
                                + " lines are missing at the end, or all was written anew")
                + remedy;
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
