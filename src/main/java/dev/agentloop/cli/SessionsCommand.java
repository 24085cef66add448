package dev.agentloop.cli;

import dev.agentloop.json.Json;
import dev.agentloop.output.SafeText;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionException;
import dev.agentloop.session.SessionStore;
import dev.agentloop.session.SessionSummary;
import dev.agentloop.session.Transcript;
import dev.agentloop.wiring.Sessions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent sessions list|show|rewind|compact}. */
final class SessionsCommand implements Command {
    private static final int MAX_TITLE = 60;

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "sessions",
                        "List saved sessions, show one, take one back to an earlier step, or sum up its old"
                                + " steps: list | show ID | rewind ID --to-step N | compact ID.");
        spec.addOption(Specs.flag("Sessions of every workspace, not only of this one.", "--all"));
        spec.addOption(
                Specs.flag("One JSON object a session, or for a rewind or compact.", "--json"));
        spec.addOption(
                Specs.value(
                        "N",
                        "With rewind: forget all after this step, and put files back as they were.",
                        "--to-step"));
        UndoRun.addOptions(spec);
        RunOption.addTo(spec, RunOption.MODEL, RunOption.CONFIG);
        spec.addPositional(Specs.words("list|show ID|rewind ID|compact ID", "What to do."));
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        List<String> words = Specs.positional(arguments);
        SessionStore store =
                Sessions.store(
                        invocation.xdg("XDG_STATE_HOME", ".local/state").resolve("sessions"), null);
        if (words.equals(List.of("list"))) {
            return list(arguments, invocation, store);
        }
        if (words.size() == 2 && words.getFirst().equals("show")) {
            if (Specs.has(arguments, "--json")) {
                throw new UsageException("--json goes with list; show prints a transcript.");
            }
            return show(words.get(1), invocation, store);
        }
        String step = Specs.text(arguments, "--to-step");
        if (words.size() == 2 && words.getFirst().equals("rewind") && !step.isEmpty()) {
            return new UndoRun(arguments, invocation).rewind(words.get(1), UndoRun.step(step));
        }
        if (words.size() == 2 && words.getFirst().equals("compact") && step.isEmpty()) {
            var session = new SessionChoice.ToCompact(words.get(1));
            return new RunExecution(arguments, invocation, session).execute();
        }
        throw new UsageException(
                "write agent sessions list, show ID, rewind ID --to-step N, or compact ID.");
    }

    private static int list(ParseResult arguments, Invocation invocation, SessionStore store)
            throws IOException {
        String here = invocation.currentDirectory().toRealPath().toString();
        for (SessionSummary session : store.list()) {
            if (Specs.has(arguments, "--all") || session.workspace().equals(here)) {
                invocation
                        .streams()
                        .print(Specs.has(arguments, "--json") ? json(session) : line(session));
            }
        }
        return ExitCode.SUCCESS.code();
    }

    /** Id, start in UTC to the minute, outcome, steps, model, title. */
    private static String line(SessionSummary session) {
        return session.id()
                + "  "
                + session.started().toString().substring(0, 16).replace('T', ' ')
                + "  "
                + padded(session.status(), 7)
                + "  "
                + padded(session.steps() + " steps", 9)
                + "  "
                + SafeText.line(session.model(), 30)
                + "  "
                + SafeText.line(session.title(), MAX_TITLE)
                + "\n";
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    private static String json(SessionSummary session) {
        byte[] line =
                Json.bytes(json -> {
                    json.writeStartObject();
                    json.writeStringField("id", session.id());
                    json.writeStringField("started", session.started().toString());
                    json.writeStringField("updated", session.updated().toString());
                    json.writeStringField("workspace", session.workspace());
                    json.writeStringField("model", session.model());
                    json.writeStringField("agent", session.agent());
                    json.writeStringField("title", Json.wellFormed(session.title()));
                    json.writeStringField("status", session.status());
                    json.writeNumberField("steps", session.steps());
                    json.writeEndObject();
                });
        return new String(line, StandardCharsets.UTF_8) + "\n";
    }

    private static int show(String id, Invocation invocation, SessionStore store)
            throws IOException {
        try {
            SavedSession session = store.read(id);
            session.notes()
                    .forEach(note -> invocation.streams().printError("note: " + note + "\n"));
            invocation.streams().print(Transcript.of(session));
            return ExitCode.SUCCESS.code();
        } catch (SessionException e) {
            invocation
                    .streams()
                    .printError("agent: " + SafeText.block(String.valueOf(e.getMessage())) + "\n");
            return ExitCode.FAILED.code();
        }
    }
}
