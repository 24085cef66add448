package dev.agentloop.cli.run;

import dev.agentloop.event.RunSummary;
import dev.agentloop.process.BackgroundCommands;
import dev.agentloop.process.OutputText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Background commands that go on after the run because the user wants them to. */
final class LeftCommands {
    private static final int LONGEST_NAME = 80; // characters

    private LeftCommands() {}

    /**
     * Leaves what can be left.
     *
     * @param told hears of each, or why none could be left
     */
    static List<RunSummary.LeftRunning> of(BackgroundCommands commands, Consumer<String> told) {
        List<RunSummary.LeftRunning> left = new ArrayList<>();
        try {
            commands.leave(command -> {
                String name = OutputText.line(command.request().command(), LONGEST_NAME);
                String stop = "kill -s TERM -- -" + command.pid();
                left.add(new RunSummary.LeftRunning(name, command.pid(), stop));
                told.accept(
                        "still running: %s (process %d). End it with: %s. It prints to %s"
                                .formatted(name, command.pid(), stop, command.output()));
            });
        } catch (IOException e) {
            told.accept("background commands could not be left running: " + e.getMessage());
        }
        return left;
    }
}
