package dev.agentloop.cli.session;

import dev.agentloop.cli.command.CommandProblem;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.json.Json;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionException;
import dev.agentloop.session.SessionStore;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import picocli.CommandLine.ParseResult;

/** {@code agent sessions fork}: a copy that can go on by itself. */
record SessionFork(ParseResult arguments, Invocation invocation, SessionStore store) {
    int fork(List<String> ids) throws IOException, UsageException {
        String text = Specs.text(arguments, "--to-step");
        OptionalInt step =
                text.isEmpty() ? OptionalInt.empty() : OptionalInt.of(UndoRun.step(text));
        try {
            return fork(ids.getFirst(), step);
        } catch (SessionException e) {
            return CommandProblem.of(e)
                    .report(invocation.streams(), Specs.has(arguments, "--json"));
        }
    }

    private int fork(String id, OptionalInt step)
            throws SessionException, IOException, UsageException {
        SavedSession session = store.read(id);
        int steps = session.steps();
        if (step.isPresent()) {
            UndoRun.checkStep(step.getAsInt(), session);
        }
        String copy = store.fork(id, SessionStore.ALL, step);
        if (Specs.has(arguments, "--json")) {
            invocation
                    .streams()
                    .print(
                            Json.text(json -> {
                                json.writeStartObject();
                                json.writeStringField("id", copy);
                                json.writeNumberField("steps", step.orElse(steps));
                                json.writeEndObject();
                            })
                                    + "\n");
            return ExitCode.SUCCESS.code();
        }
        invocation.streams().print(copy + "\n");
        invocation
                .streams()
                .printError(
                        "A copy up to step "
                                + step.orElse(steps)
                                + "; files were not changed. Go on with it: agent resume "
                                + copy
                                + "\n");
        return ExitCode.SUCCESS.code();
    }
}
