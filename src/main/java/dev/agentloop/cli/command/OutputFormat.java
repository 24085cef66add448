package dev.agentloop.cli.command;

import java.util.List;
import picocli.CommandLine.ParseResult;

/** What standard output carries. */
public enum OutputFormat {
    TEXT,
    JSON,
    STREAM_JSON;

    public static OutputFormat of(ParseResult arguments) throws UsageException {
        if (!RunOption.OUTPUT_FORMAT.isGiven(arguments)) {
            return RunOption.JSON.isGiven(arguments) ? JSON : TEXT;
        }
        String text = RunOption.OUTPUT_FORMAT.text(arguments);
        OutputFormat named =
                switch (text) {
                    case "text" -> TEXT;
                    case "json" -> JSON;
                    case "stream-json" -> STREAM_JSON;
                    default ->
                            throw new UsageException(
                                    "--output-format "
                                            + text
                                            + ": unknown. Use text, json or stream-json.");
                };
        if (named != JSON && RunOption.JSON.isGiven(arguments)) {
            throw new UsageException(
                    "--json and --output-format "
                            + text
                            + " contradict each other. Leave one out.");
        }
        return named;
    }

    /** The format in which an error is told, also if it is the format that is wrong. */
    public static OutputFormat wanted(ParseResult arguments) {
        try {
            return of(arguments);
        } catch (UsageException e) {
            return RunOption.JSON.isGiven(arguments) ? JSON : TEXT;
        }
    }

    /**
     * The format that a command line asks for although it cannot be parsed: only decides how its
     * error is shown. Nothing after {@code --} counts.
     */
    public static OutputFormat ofBroken(List<String> words) {
        OutputFormat format = TEXT;
        for (int i = 0; i < words.size() && !words.get(i).equals("--"); i++) {
            String word = words.get(i);
            String next = i + 1 < words.size() ? words.get(i + 1) : "";
            boolean stream = word.equals("--output-format=stream-json");
            boolean one = word.matches("--json(=true)?|--output-format=json");
            if (word.equals("--output-format")) {
                stream = next.equals("stream-json");
                one = next.equals("json");
            }
            format = stream ? STREAM_JSON : one ? JSON : format;
        }
        return format;
    }
}
