package dev.agentloop.wiring.run;

import dev.agentloop.message.ToolResult;
import dev.agentloop.process.BackgroundCommands;
import dev.agentloop.process.CommandOutcome;
import dev.agentloop.verification.CheckedProject;
import dev.agentloop.verification.FileDigest;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The folder and the commands of a run, as its verification asks for them. */
public final class CheckedPlace {
    private CheckedPlace() {}

    /**
     * @param checkCommands that the project's instructions name
     */
    public static CheckedProject of(RunSurroundings around, Path root, List<String> checkCommands) {
        BackgroundCommands background = around.processes().background();
        return new CheckedProject(
                checkCommands, () -> FileDigest.of(root), id -> ended(background, id));
    }

    private static Optional<ToolResult> ended(BackgroundCommands background, String id) {
        return background.ended(id).map(CheckedPlace::result);
    }

    /** As a result of run_command begins. */
    private static ToolResult result(CommandOutcome outcome) {
        String printed = outcome.stdout().text() + "\n" + outcome.stderr().text();
        return ToolResult.ok("exit code: " + outcome.exitCode() + "\n" + printed)
                .withExitCode(outcome.exitCode());
    }
}
