package dev.agentloop.llm.demo;

import dev.agentloop.json.Json;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.util.ArrayList;
import java.util.List;

/**
 * What the scripted model says, read from the history alone: its turns are the assistant messages
 * so far. It looks at the results of its calls and reports a failure as a failure.
 */
final class DemoScript {
    private static final String LABEL = "[scripted demo] ";
    private static final String BUG = "    total=$((total - number))";
    private static final String TYPO = "    total=$((total + number)";
    private static final String FIXED = "    total=$((total + number))";

    private DemoScript() {}

    static Message.Assistant next(List<Message> history) {
        long turn = history.stream().filter(Message.Assistant.class::isInstance).count();
        return switch ((int) turn) {
            case 0 ->
                    say(
                            "I look at the project and run its test.",
                            call("list_files", "path", "."),
                            call("read_file", "file_path", "sum.sh"),
                            call("run_command", "command", "sh test.sh"));
            case 1 ->
                    say(
                            "sum.sh subtracts where it should add. My first edit has a typo on"
                                    + " purpose, so that the hook has something to find.",
                            edit(BUG, TYPO));
            case 2 ->
                    say(
                            "The hook reports a syntax error: a bracket is missing. I correct it.",
                            edit(TYPO, FIXED));
            case 3 -> say("Now the test.", call("run_command", "command", "sh test.sh"));
            case 4 -> report(history);
            default -> say("The script is over; there is nothing more in it.");
        };
    }

    static List<String> editsOf(String file) {
        return List.of(file.replace(BUG, TYPO), file.replace(BUG, FIXED));
    }

    private static Message.Assistant report(List<Message> history) {
        if (history.getLast() instanceof Message.Tool(String _, ToolResult result)
                && !result.isError()) {
            return say(
                    "Done: sum.sh added with a minus sign; it now adds. The syntax-check hook"
                            + " failed once and was satisfied after the correction, and the"
                            + " project's test passes. (This was a script, not a language model:"
                            + " the tools, the hook and the files were real.)");
        }
        return say(
                "The scripted conversation did not work out here: the last command did not"
                        + " succeed, so the task is not done.");
    }

    private static Message.Assistant say(String text, Block... calls) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Block.Text(LABEL + text));
        blocks.addAll(List.of(calls));
        return new Message.Assistant(blocks);
    }

    private static Block edit(String before, String after) {
        return call("edit_file", "file_path", "sum.sh", "old_string", before, "new_string", after);
    }

    private static Block call(String tool, String... pairs) {
        byte[] arguments =
                Json.bytes(json -> {
                    json.writeStartObject();
                    for (int i = 0; i < pairs.length; i += 2) {
                        json.writeStringField(pairs[i], pairs[i + 1]);
                    }
                    json.writeEndObject();
                });
        return new Block.Call(
                new ToolCall(
                        "", tool, new String(arguments, java.nio.charset.StandardCharsets.UTF_8)));
    }
}
