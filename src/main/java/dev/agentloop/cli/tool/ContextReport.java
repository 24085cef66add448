package dev.agentloop.cli.tool;

import dev.agentloop.json.Json;
import dev.agentloop.output.SafeText;
import java.util.List;

/**
 * The parts of a request that was not sent.
 *
 * @param notes about the difference to the request before, one line each
 */
record ContextReport(List<Row> rows, List<String> notes) {
    private static final int NAME = 22; // columns of the table
    private static final int SOURCE = 44; // at most

    /**
     * One part.
     *
     * @param bytes of its text in UTF-8
     * @param tokens estimated
     * @param cached whether it is, or will stay, in the part of the request that does not change
     */
    record Row(String name, String source, long bytes, long tokens, boolean cached) {}

    String text() {
        StringBuilder text = new StringBuilder();
        text.append(line("part", "source", "bytes", "tokens", "cached"));
        for (Row row : rows) {
            text.append(
                    line(
                            SafeText.line(row.name(), NAME),
                            SafeText.line(row.source(), SOURCE),
                            "" + row.bytes(),
                            "" + row.tokens(),
                            row.cached() ? "yes" : "no"));
        }
        text.append(line("total", "", "" + bytes(false), "" + tokens(false), ""));
        text.append(line("of it cached", "", "" + bytes(true), "" + tokens(true), ""));
        notes.forEach(note -> text.append(SafeText.line(note)).append('\n'));
        return text.toString();
    }

    private String line(String name, String source, String bytes, String tokens, String cached) {
        int columns =
                rows.stream()
                        .mapToInt(row -> SafeText.line(row.source(), SOURCE).length())
                        .max()
                        .orElse(SOURCE);
        String room = " ".repeat(Math.max(0, columns - source.length()));
        String line =
                "%-22s  %s%s  %8s  %7s  %s".formatted(name, source, room, bytes, tokens, cached);
        return line.stripTrailing() + "\n";
    }

    String json() {
        return Json.text(json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("parts");
            for (Row row : rows) {
                json.writeStartObject();
                json.writeStringField("name", Json.wellFormed(row.name()));
                json.writeStringField("source", Json.wellFormed(row.source()));
                json.writeNumberField("bytes", row.bytes());
                json.writeNumberField("tokens", row.tokens());
                json.writeBooleanField("cached", row.cached());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeNumberField("bytes", bytes(false));
            json.writeNumberField("tokens", tokens(false));
            json.writeNumberField("cached_tokens", tokens(true));
            json.writeArrayFieldStart("notes");
            for (String note : notes) {
                json.writeString(Json.wellFormed(note));
            }
            json.writeEndArray();
            json.writeEndObject();
        })
                + "\n";
    }

    private long bytes(boolean cached) {
        return rows.stream().filter(row -> !cached || row.cached()).mapToLong(Row::bytes).sum();
    }

    private long tokens(boolean cached) {
        return rows.stream().filter(row -> !cached || row.cached()).mapToLong(Row::tokens).sum();
    }
}
