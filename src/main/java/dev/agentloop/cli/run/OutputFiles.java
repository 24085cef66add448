package dev.agentloop.cli.run;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.terminal.IoErrorText;
import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.control.Time;
import dev.agentloop.output.LogFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ParseResult;

/** Files that a run writes besides its session: its log, and its answer. */
final class OutputFiles {
    private OutputFiles() {}

    /**
     * Opens the log, and takes the place for the answer.
     *
     * @throws UsageException if the answer has no place
     * @throws ConfigException if the log cannot be written
     */
    static void open(
            AgentConfig config,
            ParseResult arguments,
            Invocation invocation,
            RunOutput output,
            Time time)
            throws UsageException {
        config.logging()
                .file()
                .ifPresent(file -> {
                    try {
                        output.logTo(LogFile.open(file, time::now));
                    } catch (IOException e) {
                        throw new ConfigException(
                                "logging.file",
                                file + " cannot be written (" + IoErrorText.of(e) + ")",
                                "Choose another file.",
                                "--log-file");
                    }
                });
        if (RunOption.OUTPUT_FILE.isGiven(arguments)) {
            Path file =
                    invocation.currentDirectory().resolve(RunOption.OUTPUT_FILE.text(arguments));
            Path folder = file.toAbsolutePath().getParent();
            if (Files.isDirectory(file) || folder == null || !Files.isDirectory(folder)) {
                throw new UsageException(
                        "--output-file " + file + " cannot be written. Make its folder first.");
            }
            output.answerTo(file);
        }
    }
}
