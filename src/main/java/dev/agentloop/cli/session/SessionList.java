package dev.agentloop.cli.session;

import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.json.Json;
import dev.agentloop.output.Plural;
import dev.agentloop.output.SafeText;
import dev.agentloop.session.SessionStore;
import dev.agentloop.session.SessionSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code agent sessions list}: one line or one JSON object a session, newest first. */
record SessionList(ParseResult arguments, Invocation invocation, SessionStore store) {
    private static final int MAX_TITLE = 60;
    private static final int FIRST = 26 + 2 + 16 + 2 + 7 + 2 + 9 + 2; // columns before the model

    int print() throws IOException {
        boolean json = Specs.has(arguments, "--json");
        List<SessionSummary> chosen = chosen();
        for (SessionSummary session : chosen) {
            invocation.streams().print(json ? json(session) : fitting(session));
        }
        if (chosen.isEmpty()) {
            invocation.streams().printError(none());
        }
        return ExitCode.SUCCESS.code();
    }

    private String none() throws IOException {
        return Specs.has(arguments, "--all")
                ? "There are no sessions yet.\n"
                : "There is no session of the workspace "
                        + SafeText.line(invocation.currentDirectory().toRealPath().toString())
                        + "; agent sessions list --all shows those of other folders.\n";
    }

    /** Those of this workspace, or all. */
    List<SessionSummary> chosen() throws IOException {
        if (Specs.has(arguments, "--all")) {
            return store.list();
        }
        Path here = invocation.currentDirectory().toRealPath();
        return store.list().stream()
                .filter(session -> session.workspace().equals(here.toString()))
                .toList();
    }

    /** On a terminal that is too narrow the model and the title stand on a line of their own. */
    private String fitting(SessionSummary session) {
        String line = line(session);
        boolean fits = invocation.isHeadless() || line.length() <= invocation.screen().columns();
        return fits
                ? line
                : line.substring(0, FIRST).stripTrailing() + "\n  " + line.substring(FIRST);
    }

    /** Id, start in UTC to the minute, outcome, steps, model, title. */
    static String line(SessionSummary session) {
        return session.id()
                + "  "
                + session.started().toString().substring(0, 16).replace('T', ' ')
                + "  "
                + padded(session.status(), 7)
                + "  "
                + padded(Plural.of(session.steps(), "step"), 9)
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
        return Json.text(json -> {
            json.writeStartObject();
            json.writeStringField("id", session.id());
            json.writeStringField("started", session.started().toString());
            json.writeStringField("updated", session.updated().toString());
            json.writeStringField("workspace", Json.wellFormed(session.workspace()));
            json.writeStringField("model", Json.wellFormed(session.model()));
            json.writeStringField("agent", Json.wellFormed(session.agent()));
            json.writeStringField("title", Json.wellFormed(session.title()));
            json.writeStringField("status", session.status());
            json.writeNumberField("steps", session.steps());
            json.writeEndObject();
        })
                + "\n";
    }
}
