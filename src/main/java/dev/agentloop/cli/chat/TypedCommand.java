package dev.agentloop.cli.chat;

import dev.agentloop.cli.command.CommandRun;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.setup.RunPreparation;
import dev.agentloop.cli.terminal.Streams;
import dev.agentloop.cli.tool.ToolsCommand;
import dev.agentloop.json.Json;
import dev.agentloop.output.WorkLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A command that the person types behind an exclamation mark. It runs as the model's own do, in the
 * sandbox and below the deny rules; nobody is asked, since the person has asked for it.
 */
final class TypedCommand {
    /** Files that only a run keeps. */
    private static final Pattern GONE =
            Pattern.compile("(?m)^.*, until the run ends: .*\\R?|, kept in .* until the run ends");

    private final Invocation invocation;
    private final ChatRuns runs;
    private final StringBuilder toTell = new StringBuilder();

    TypedCommand(Invocation invocation, ChatRuns runs) {
        this.invocation = invocation;
        this.runs = runs;
    }

    /**
     * Runs it and shows what it prints.
     *
     * @param told whether the next task tells the model of it
     */
    void run(String command, boolean told) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Streams streams = invocation.streams();
        Streams kept =
                new Streams(
                        streams.in(),
                        printed,
                        streams.err(),
                        streams.inIsTerminal(),
                        streams.outIsTerminal(),
                        streams.errIsTerminal());
        List<String> words = new ArrayList<>(runs.options());
        words.addAll(List.of("--yolo", "--agent=" + RunPreparation.USUAL_AGENT));
        words.addAll(List.of("run", "run_command"));
        words.add(
                Json.text(json -> {
                    json.writeStartObject();
                    json.writeStringField("command", command);
                    json.writeEndObject();
                }));
        CommandRun.run(
                ToolsCommand.withinProgram(),
                words.toArray(String[]::new),
                invocation.withStreams(kept));
        String result = GONE.matcher(printed.toString(StandardCharsets.UTF_8)).replaceAll("");
        try {
            streams.print(result.isBlank() ? "" : WorkLog.typed(result, invocation.style(true)));
        } catch (IOException e) {
            return; // the terminal has gone, and with it the chat
        }
        if (told && !result.isBlank()) { // else it did not run, and the person has read why
            toTell.append("I ran this command:\n").append(command).append("\nIts result:\n");
            toTell.append(result.strip()).append("\n\n");
        }
    }

    /** The task with what its model is to know of commands before it; each is told once. */
    String tell(String task) {
        String all = toTell + task;
        toTell.setLength(0);
        return all;
    }
}
