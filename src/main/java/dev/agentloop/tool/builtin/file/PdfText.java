package dev.agentloop.tool.builtin.file;

import dev.agentloop.edit.LineEnds;
import dev.agentloop.edit.TextEncoding;
import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The text of a PDF, by {@code pdftotext} of the machine: a hostile file then costs a process with
 * limits, not this one, and the jar stays as it is (PDFBox 3 adds 3.7 MB to it).
 */
final class PdfText {
    static final String NOTE = "text of a PDF, its pages end with a form feed";

    private static final Duration LIMIT = Duration.ofSeconds(30);

    /**
     * Memory in kB, CPU seconds and blocks of 512 bytes that it may take; both paths are arguments.
     */
    private static final String COMMAND =
            "ulimit -v 2000000; ulimit -t 30; ulimit -f 40000;"
                    + " exec \"$0\" -q -layout -enc UTF-8 -l 1000 \"$1\" \"$2\"";

    private final ProcessRunner runner;

    PdfText(ProcessRunner runner) {
        this.runner = runner;
    }

    static boolean isPdf(byte[] bytes) {
        return FileKind.binaryType(bytes).equals("PDF document");
    }

    List<String> lines(Path file, String shown, ToolContext context)
            throws IOException, ToolException {
        Path program =
                runner.environment()
                        .program("pdftotext", context.workspace().root())
                        .orElseThrow(() -> missing(shown));
        Path text = Files.createTempFile("agent-pdf-", ".txt");
        try {
            CommandOutcome outcome =
                    runner.run(
                            new CommandRequest(
                                    List.of(
                                            "/bin/sh",
                                            "-c",
                                            COMMAND,
                                            program.toString(),
                                            file.toString(),
                                            text.toString()),
                                    context.workspace().root(),
                                    LIMIT,
                                    Map.of()),
                            context.cancellation());
            requireText(outcome, shown);
            return LineEnds.lines(decoded(FileWriting.head(text, context), shown));
        } finally {
            Files.deleteIfExists(text);
        }
    }

    private static void requireText(CommandOutcome outcome, String shown) throws ToolException {
        if (outcome.ending() != CommandOutcome.Ending.EXITED) {
            throw ToolException.error(
                    shown
                            + ": reading the PDF took too long or was cut off by the end of the run.");
        }
        if (outcome.exitCode() != 0) {
            throw ToolException.error(
                    "%s: pdftotext could not read the PDF (exit code %d): %s"
                            .formatted(shown, outcome.exitCode(), outcome.stderr().text().strip()));
        }
    }

    private static ToolException missing(String shown) {
        return ToolException.error(
                shown
                        + " is a PDF, and this machine has no pdftotext to read it (package"
                        + " poppler-utils). Tell the person, or try another tool with run_command.");
    }

    private static String decoded(byte[] bytes, String shown) throws ToolException {
        String text = TextEncoding.decode(bytes).map(TextEncoding.Decoded::text).orElse("");
        if (text.isBlank()) {
            throw ToolException.error(shown + " is a PDF without text, perhaps of scanned pages.");
        }
        return text;
    }
}
