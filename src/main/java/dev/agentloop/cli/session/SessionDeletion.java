package dev.agentloop.cli.session;

import dev.agentloop.cli.command.CommandProblem;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.json.Json;
import dev.agentloop.output.SafeText;
import dev.agentloop.session.SessionException;
import dev.agentloop.session.SessionStore;
import dev.agentloop.session.SessionSummary;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ParseResult;

/** {@code agent sessions rm|prune}: says what goes, asks, and names what could not go. */
final class SessionDeletion {
    private static final Pattern AGE = Pattern.compile("(\\d{1,5})([hdw])");

    private final ParseResult arguments;
    private final Invocation invocation;
    private final SessionStore store;
    private final List<SessionSummary> chosen = new ArrayList<>();
    private final List<String> deleted = new ArrayList<>();
    private final List<Kept> kept = new ArrayList<>();
    private long bytes;

    /** What was not deleted, and why. */
    private record Kept(String id, String reason) {}

    SessionDeletion(ParseResult arguments, Invocation invocation, SessionStore store) {
        this.arguments = arguments;
        this.invocation = invocation;
        this.store = store;
    }

    /** Those of the ids; all or none are found. */
    int named(List<String> ids) throws IOException {
        List<SessionSummary> all = store.list();
        List<SessionSummary> named = new ArrayList<>();
        for (String id : ids) {
            String wanted = id.strip().toUpperCase(Locale.ROOT);
            List<SessionSummary> matches =
                    all.stream().filter(session -> session.id().startsWith(wanted)).toList();
            if (wanted.length() < 6 || matches.size() != 1) {
                String problem =
                        matches.isEmpty()
                                ? "There is no session " + id + "."
                                : id + " does not name one session.";
                return CommandProblem.of(
                                new SessionException(
                                        problem
                                                + " Nothing was deleted. See agent sessions list"
                                                + " --all."))
                        .report(invocation.streams(), Specs.has(arguments, "--json"));
            }
            if (!named.contains(matches.getFirst())) {
                named.add(matches.getFirst());
            }
        }
        return delete(named);
    }

    /** Those that nobody has written to for a time. What is damaged goes only by its name. */
    int old() throws IOException, UsageException {
        Instant limit = Instant.now().minus(age(Specs.text(arguments, "--older-than")));
        List<SessionSummary> old =
                new SessionList(arguments, invocation, store)
                        .chosen().stream()
                                .filter(session -> session.updated().isBefore(limit))
                                .filter(this::isWhole) // last: it reads all of the journal
                                .toList();
        return delete(old);
    }

    /** A list looks at the beginning and the end only; damage in between shows when it is read. */
    private boolean isWhole(SessionSummary session) {
        try {
            store.survey(session.id(), SessionStore.ALL);
            return true;
        } catch (SessionException e) {
            return false;
        }
    }

    private static Duration age(String text) throws UsageException {
        Matcher age = AGE.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!age.matches()) {
            throw new UsageException(
                    "--older-than "
                            + text
                            + ": give an age in hours, days or weeks: 12h, 30d, 8w.");
        }
        long number = Long.parseLong(age.group(1));
        return switch (age.group(2)) {
            case "h" -> Duration.ofHours(number);
            case "w" -> Duration.ofDays(number * 7);
            default -> Duration.ofDays(number);
        };
    }

    private int delete(List<SessionSummary> all) throws IOException {
        chosen.addAll(all);
        boolean json = Specs.has(arguments, "--json");
        if (chosen.isEmpty()) {
            return end(ExitCode.SUCCESS, "There is nothing to delete.");
        }
        if (!json) {
            for (SessionSummary session : chosen) {
                invocation.streams().print("  " + SessionList.line(session));
            }
        }
        if (Specs.has(arguments, "--dry-run")) {
            return end(ExitCode.SUCCESS, count(chosen.size()) + " would be deleted.");
        }
        if (!Specs.has(arguments, "--yes")) {
            if (invocation.isHeadless()) {
                return end(
                        ExitCode.CONFIG_ERROR,
                        "Nothing was deleted. Repeat it with --yes to delete "
                                + count(chosen.size())
                                + ".");
            }
            String question = "Delete " + count(chosen.size()) + " for good?";
            if (!invocation.question().isAgreed(question)) {
                return end(ExitCode.FAILED, "Nothing was deleted.");
            }
        }
        for (SessionSummary session : chosen) {
            try {
                bytes += store.remove(session.id());
                deleted.add(session.id());
            } catch (SessionException e) {
                kept.add(new Kept(session.id(), String.valueOf(e.getMessage())));
            }
        }
        return end(
                kept.isEmpty() ? ExitCode.SUCCESS : ExitCode.PARTIAL,
                count(deleted.size()) + " deleted, " + bytes + " bytes freed.");
    }

    private static String count(int sessions) {
        return sessions + (sessions == 1 ? " session" : " sessions");
    }

    private int end(ExitCode code, String message) throws IOException {
        for (Kept one : kept) {
            invocation.streams().printError("kept: " + SafeText.block(one.reason()) + "\n");
        }
        if (Specs.has(arguments, "--json")) {
            invocation.streams().print(json(code, message));
        } else if (code == ExitCode.SUCCESS || code == ExitCode.PARTIAL) {
            invocation.streams().print(message + "\n");
        } else {
            invocation.streams().printError("agent: " + SafeText.block(message) + "\n");
        }
        return code.code();
    }

    private String json(ExitCode code, String message) {
        return Json.text(json -> {
            json.writeStartObject();
            json.writeNumberField("exit_code", code.code());
            json.writeStringField("message", Json.wellFormed(message));
            json.writeArrayFieldStart("chosen");
            for (SessionSummary session : chosen) {
                json.writeString(session.id());
            }
            json.writeEndArray();
            json.writeArrayFieldStart("deleted");
            for (String id : deleted) {
                json.writeString(id);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("kept");
            for (Kept one : kept) {
                json.writeStartObject();
                json.writeStringField("id", one.id());
                json.writeStringField("reason", Json.wellFormed(one.reason()));
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeNumberField("bytes_freed", bytes);
            json.writeEndObject();
        })
                + "\n";
    }
}
