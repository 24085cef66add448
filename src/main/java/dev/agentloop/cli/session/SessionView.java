package dev.agentloop.cli.session;

import dev.agentloop.cli.command.CommandProblem;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.terminal.IoErrorText;
import dev.agentloop.session.SessionException;
import dev.agentloop.session.SessionStore;
import dev.agentloop.session.export.SessionExport;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** {@code agent sessions view}: a session's page in the person's browser. */
final class SessionView {
    /** Never looked up in PATH, which may lead into a project. */
    private static final List<Path> OPENERS =
            List.of(Path.of("/usr/bin/xdg-open"), Path.of("/usr/bin/open"));

    private final Invocation invocation;
    private final SessionStore store;

    SessionView(Invocation invocation, SessionStore store) {
        this.invocation = invocation;
        this.store = store;
    }

    /**
     * Writes the page to a file for its owner alone and prints where, also for whoever has no
     * browser here.
     *
     * @return the exit code
     */
    int show(String id) throws IOException {
        String page;
        try {
            page =
                    SessionExport.named("html")
                            .orElseThrow()
                            .text(store.read(id), store.contents(id));
        } catch (SessionException e) {
            return CommandProblem.of(e).report(invocation.streams(), false);
        }
        try {
            Path file = Files.createTempFile("agent-session-", ".html");
            Files.writeString(file, invocation.secrets().mask(page));
            invocation.streams().print(file + "\n");
            open(file);
        } catch (IOException e) {
            invocation
                    .streams()
                    .printError("The page cannot be written: " + IoErrorText.of(e) + "\n");
            return ExitCode.FAILED.code();
        }
        return ExitCode.SUCCESS.code();
    }

    private void open(Path file) {
        Optional<Path> opener = OPENERS.stream().filter(Files::isExecutable).findFirst();
        if (opener.isEmpty() || !invocation.streams().outIsTerminal()) {
            return;
        }
        ProcessBuilder browser =
                new ProcessBuilder(opener.get().toString(), file.toString())
                        .redirectInput(new File("/dev/null"))
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD);
        try {
            browser.start();
        } catch (IOException e) {
            invocation.streams().printError("note: no browser could be opened\n");
        }
    }
}
