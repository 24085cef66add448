package dev.agentloop.cli.session;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.CommandProblem;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.resume.SessionChoice;
import dev.agentloop.cli.resume.SessionPicker;
import dev.agentloop.cli.run.RunExecution;
import dev.agentloop.output.SafeText;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionException;
import dev.agentloop.session.SessionStore;
import dev.agentloop.session.Transcript;
import dev.agentloop.session.export.SessionExport;
import dev.agentloop.wiring.Sessions;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code agent sessions list|show|view|diff|export|fork|rewind|rm|prune|compact}. */
public final class SessionsCommand implements Command {
    private static final String USE =
            "list | show ID | view ID | diff ID [--to-step N] | export ID --format markdown|html|json | fork"
                    + " ID [--to-step N] | rewind ID --to-step N | rm ID... | prune --older-than 30d | compact ID";

    @Override
    public CommandSpec spec() {
        CommandSpec spec =
                Specs.command(
                        "sessions",
                        "List, show, export, rewind and delete saved sessions: " + USE + ".");
        spec.addOption(
                Specs.flag("With list, prune: of every workspace, not only this one.", "--all"));
        spec.addOption(Specs.flag("One JSON object a session, or for what was done.", "--json"));
        spec.addOption(
                Specs.value(
                        "N",
                        "With rewind: forget all after this step, and put files back as they were. With"
                                + " fork: the copy ends there; files stay. With diff: what has changed"
                                + " after it.",
                        "--to-step"));
        spec.addOption(
                Specs.value("markdown|html|json", "With export; default: markdown.", "--format"));
        spec.addOption(
                Specs.value(
                        "AGE",
                        "With prune: delete sessions not written for so long: 12h, 30d, 8w.",
                        "--older-than"));
        spec.addOption(Specs.flag("With rewind, rm, prune: only say what would go.", "--dry-run"));
        UndoRun.addOptions(spec);
        RunOption.addTo(spec, List.of(RunOption.MODEL, RunOption.CONFIG));
        spec.addPositional(
                Specs.words(
                        "list|show|view|diff|export|fork|rewind|rm|prune|compact ID",
                        "What to do."));
        return spec;
    }

    /** What one word does with the words behind it. */
    private interface Action {
        int run(List<String> ids) throws Exception;
    }

    @Override
    public int run(ParseResult arguments, Invocation invocation) throws Exception {
        List<String> words = Specs.positional(arguments);
        if (words.isEmpty() && !invocation.isHeadless() && arguments.matchedOptions().isEmpty()) {
            return pick(invocation);
        }
        String verb = words.isEmpty() ? "list" : words.getFirst();
        List<String> ids = words.stream().skip(1).toList();
        Allowed.check(verb, ids, arguments);
        SessionStore store = Sessions.store(invocation.sessions(), null);
        Map<String, Action> actions =
                Map.ofEntries(
                        Map.entry(
                                "list", _ -> new SessionList(arguments, invocation, store).print()),
                        Map.entry(
                                "show",
                                it -> read(it.getFirst(), invocation, store, Transcript::of)),
                        Map.entry(
                                "view",
                                it -> new SessionView(invocation, store).show(it.getFirst())),
                        Map.entry("diff", it -> diff(it.getFirst(), arguments, invocation, store)),
                        Map.entry(
                                "export",
                                it -> export(it.getFirst(), arguments, invocation, store)),
                        Map.entry(
                                "fork",
                                it -> new SessionFork(arguments, invocation, store).fork(it)),
                        Map.entry("rewind", it -> rewind(it.getFirst(), arguments, invocation)),
                        Map.entry(
                                "rm",
                                it -> new SessionDeletion(arguments, invocation, store).named(it)),
                        Map.entry(
                                "prune",
                                _ -> new SessionDeletion(arguments, invocation, store).old()),
                        Map.entry("compact", it -> compact(it.getFirst(), arguments, invocation)));
        return Optional.ofNullable(actions.get(verb)).orElseThrow().run(ids);
    }

    /** A person at the terminal chooses one and reads it. */
    private static int pick(Invocation invocation) throws Exception {
        SessionStore store = Sessions.store(invocation.sessions(), null);
        Optional<String> chosen =
                new SessionPicker(invocation, invocation.currentDirectory()).choose();
        if (chosen.isEmpty()) {
            return ExitCode.SUCCESS.code();
        }
        int end = read(chosen.get(), invocation, store, Transcript::of);
        invocation
                .streams()
                .printError("Go on with it: agent resume " + chosen.get() + " \"TASK\"\n");
        return end;
    }

    private static int rewind(String id, ParseResult arguments, Invocation invocation)
            throws UsageException, IOException {
        int step = UndoRun.step(Specs.text(arguments, "--to-step"));
        return new UndoRun(arguments, invocation).rewind(id, step);
    }

    private static int diff(
            String id, ParseResult arguments, Invocation invocation, SessionStore store)
            throws UsageException, IOException {
        String step = Specs.text(arguments, "--to-step");
        return new SessionDiff(invocation, store)
                .print(id, step.isEmpty() ? 0 : UndoRun.step(step));
    }

    private static int compact(String id, ParseResult arguments, Invocation invocation) {
        return new RunExecution(arguments, invocation, new SessionChoice.ToCompact(id, false))
                .execute();
    }

    private static int export(
            String id, ParseResult arguments, Invocation invocation, SessionStore store)
            throws IOException, UsageException {
        String wanted = Specs.text(arguments, "--format");
        String name = wanted.isEmpty() ? "markdown" : wanted.toLowerCase(Locale.ROOT);
        SessionExport format =
                SessionExport.named(name)
                        .orElseThrow(() ->
                                new UsageException(
                                        "--format " + wanted + ": choose markdown, html or json."));
        return read(id, invocation, store, session -> format.text(session, store.contents(id)));
    }

    /** What is printed of a session. */
    private interface Printed {
        String of(SavedSession session) throws SessionException;
    }

    private static int read(String id, Invocation invocation, SessionStore store, Printed printed)
            throws IOException {
        try {
            SavedSession session = store.read(id);
            for (String note : session.notes()) {
                invocation.streams().printError("note: " + SafeText.block(note) + "\n");
            }
            invocation.streams().print(printed.of(session));
            return ExitCode.SUCCESS.code();
        } catch (SessionException e) {
            return CommandProblem.of(e).report(invocation.streams(), false);
        }
    }

    /** Which words and options go together; anything else is refused before it is done by half. */
    private enum Allowed {
        LIST(0, 0, "--all", "--json"),
        SHOW(1, 1),
        VIEW(1, 1),
        DIFF(1, 1, "--to-step"),
        EXPORT(1, 1, "--format"),
        FORK(1, 1, "--to-step", "--json"),
        REWIND(1, 1, "--to-step", "--json", "--yes", "--force", "--dry-run"),
        RM(1, Integer.MAX_VALUE, "--json", "--yes", "--dry-run"),
        PRUNE(0, 0, "--older-than", "--all", "--json", "--yes", "--dry-run"),
        COMPACT(1, 1, "--json", "--model", "--config");

        private final int fewest;
        private final int most;
        private final List<String> options;

        Allowed(int fewest, int most, String... options) {
            this.fewest = fewest;
            this.most = most;
            this.options = List.of(options);
        }

        static void check(String verb, List<String> ids, ParseResult arguments)
                throws UsageException {
            for (Allowed one : values()) {
                if (one.name().toLowerCase(Locale.ROOT).equals(verb)) {
                    one.check(ids, arguments);
                    return;
                }
            }
            throw new UsageException("write agent sessions " + USE + ".");
        }

        private void check(List<String> ids, ParseResult arguments) throws UsageException {
            String verb = name().toLowerCase(Locale.ROOT);
            if (ids.size() < fewest || ids.size() > most) {
                throw new UsageException("write agent sessions " + USE + ".");
            }
            for (var given : arguments.matchedOptions()) {
                String option = given.longestName();
                if (!options.contains(option)) {
                    throw new UsageException(option + " does not go with sessions " + verb + ".");
                }
            }
            requires(this == REWIND, "--to-step", "the step to go back to", arguments);
            requires(this == PRUNE, "--older-than", "an age such as 30d", arguments);
        }

        private void requires(boolean it, String option, String what, ParseResult arguments)
                throws UsageException {
            if (it && Specs.text(arguments, option).isEmpty()) {
                String verb = name().toLowerCase(Locale.ROOT);
                throw new UsageException(
                        "sessions " + verb + " needs " + option + ": " + what + ".");
            }
        }
    }
}
