package dev.agentloop.tool.builtin.file;

import dev.agentloop.edit.LineEnds;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A Jupyter notebook as a person reads it: its cells, with as much of their output as matters. */
final class Notebook {
    static final String NOTE =
            "notebook shown as cells; the file is JSON, and edit_file changes that JSON (one quoted"
                    + " string a line, see it with grep)";

    private static final int MAX_OUTPUT_LINES = 20; // of one cell
    private static final int MAX_LINE = 500;

    private final List<String> lines = new ArrayList<>();

    private Notebook() {}

    /** Empty if the text is no notebook. */
    static Optional<List<String>> lines(String json) {
        JsonValue notebook;
        try {
            notebook = Json.parse(json);
        } catch (JsonException e) {
            return Optional.empty();
        }
        if (!notebook.at("cells").isArray()) {
            return Optional.empty();
        }
        Notebook shown = new Notebook();
        int number = 1;
        for (JsonValue cell : notebook.at("cells").items()) {
            shown.cell(number++, cell);
        }
        return Optional.of(shown.lines);
    }

    private void cell(int number, JsonValue cell) {
        lines.add("# %% cell " + number + " [" + cell.at("cell_type").text() + "]");
        lines.addAll(LineEnds.lines(text(cell.at("source"))));
        List<String> output = new ArrayList<>();
        for (JsonValue piece : cell.at("outputs").items()) {
            output.addAll(output(piece));
        }
        int shown = Math.min(output.size(), MAX_OUTPUT_LINES);
        output.subList(0, shown).forEach(line -> lines.add("#> " + cut(line)));
        if (shown < output.size()) {
            lines.add("#> [" + (output.size() - shown) + " more lines of output]");
        }
        lines.add("");
    }

    private static List<String> output(JsonValue output) {
        if (output.has("ename")) {
            return List.of(output.at("ename").text() + ": " + output.at("evalue").text());
        }
        if (output.has("text")) {
            return LineEnds.lines(text(output.at("text")));
        }
        JsonValue data = output.at("data");
        if (data.has("text/plain")) {
            return LineEnds.lines(text(data.at("text/plain")));
        }
        return List.of("[" + String.join(", ", data.keys()) + "]");
    }

    /** A string, or a list of its lines. */
    private static String text(JsonValue value) {
        if (!value.isArray()) {
            return value.text();
        }
        StringBuilder text = new StringBuilder();
        value.items().forEach(line -> text.append(line.text()));
        return text.toString();
    }

    private static String cut(String line) {
        return line.length() <= MAX_LINE ? line : line.substring(0, MAX_LINE) + "…";
    }
}
