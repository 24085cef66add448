package dev.agentloop.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/** A session's journal, read as its documentation says and not by the product's code. */
final class JournalFile {
    private static final int TRAILER = ",\"crc\":\"01234567\"}".length();

    private JournalFile() {}

    static List<JsonNode> records(Path file) {
        return lines(file).stream().map(Ended::parse).toList();
    }

    static List<JsonNode> records(Path file, String type) {
        return records(file).stream().filter(r -> r.path("t").asText().equals(type)).toList();
    }

    /** Lines that do not follow each other, wrong sums, calls without exactly one result. */
    static List<String> violations(Path file) {
        List<String> violations = new ArrayList<>();
        String before = "00000000";
        int seq = 0;
        for (String line : lines(file)) {
            JsonNode record = Ended.parse(line);
            String sum = record.path("crc").asText();
            boolean follows = record.path("pc").asText().equals(before);
            if (record.path("seq").asInt() != seq++ || !follows || !sum.equals(sum(line))) {
                violations.add("G6 line " + seq + " of " + file + " is damaged");
            }
            before = sum;
        }
        if (!text(file).endsWith("\n")) {
            violations.add("G6 a torn last line in " + file);
        }
        violations.addAll(unanswered(file));
        return violations;
    }

    /** Only a journal that came to its end can be asked for a result of each call. */
    private static List<String> unanswered(Path file) {
        Map<String, Integer> answers = new HashMap<>();
        List<JsonNode> records = records(file);
        for (JsonNode record : records) {
            for (JsonNode block : record.path("d").path("blocks")) {
                if (block.path("type").asText().equals("call")) {
                    answers.merge(block.path("id").asText(), 0, Integer::sum);
                }
            }
            if (record.path("t").asText().equals("result")) {
                answers.merge(record.path("d").path("call").asText(), 1, Integer::sum);
            }
        }
        boolean ended = !records.isEmpty() && records.getLast().path("t").asText().equals("end");
        return answers.entrySet().stream()
                .filter(answer -> answer.getValue() > 1 || (ended && answer.getValue() == 0))
                .map(answer -> "G6 results of a call in " + file + ": " + answer)
                .toList();
    }

    private static List<String> lines(Path file) {
        return text(file).lines().toList();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sum(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length - TRAILER);
        return "%08x".formatted(crc.getValue());
    }
}
