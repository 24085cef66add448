package dev.agentloop.cli.chat;

import dev.agentloop.cli.command.CommandRun;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.RunsCommand;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.resume.SessionChoice;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.ParseResult;

/**
 * The command lines of a chat's runs: the first as it was given, the others go on with its session,
 * and say again what a session does not remember.
 */
final class ChatRuns {
    /** What is said once: the session remembers it, or it was about the first task alone. */
    private static final Set<RunOption> ONCE =
            EnumSet.of(
                    RunOption.PROMPT,
                    RunOption.PROMPT_FILE,
                    RunOption.IMAGE,
                    RunOption.AGENT,
                    RunOption.MODEL,
                    RunOption.BASE_URL,
                    RunOption.API_KEY_ENV,
                    RunOption.ADD_BUDGET,
                    RunOption.SESSION,
                    RunOption.CONTINUE,
                    RunOption.FORK_SESSION,
                    RunOption.RESUME_AT,
                    RunOption.WAIT);

    /** What is about a session that was there before the chat. */
    private static final Set<RunOption> OF_A_SESSION =
            EnumSet.of(
                    RunOption.SESSION,
                    RunOption.CONTINUE,
                    RunOption.FORK_SESSION,
                    RunOption.RESUME_AT,
                    RunOption.ADD_BUDGET,
                    RunOption.WAIT);

    /** Said again for a task that begins a session. */
    private static final Set<RunOption> OF_EACH_SESSION =
            EnumSet.of(RunOption.AGENT, RunOption.MODEL, RunOption.BASE_URL, RunOption.API_KEY_ENV);

    private final ParseResult given;
    private String session = "";
    private String workspace = "";
    private boolean begun;
    private boolean apart; // from the folder of the chat
    private boolean anew; // whatever session the command line names
    private String model = "";
    private String agent = "";

    ChatRuns(ParseResult given) {
        this.given = given;
    }

    /** One of them, and the session it belongs to. */
    record Next(ParseResult arguments, SessionChoice session) {}

    /** What the command line itself asks for. */
    Next first() {
        return new Next(given, SessionChoice.ofRun(given));
    }

    boolean hasFirst() {
        return !Specs.positional(given).isEmpty()
                || RunOption.PROMPT.isGiven(given)
                || RunOption.PROMPT_FILE.isGiven(given);
    }

    Next of(String task) {
        return of(task, List.of());
    }

    /** A task with images that its model sees. */
    Next of(String task, List<Path> images) {
        ParseResult arguments = arguments(task, model, agent, images);
        return new Next(arguments, begun || anew ? choice() : SessionChoice.ofRun(arguments));
    }

    /** The command line of a next task with that model, to be checked. */
    ParseResult ofModel(String name) {
        return arguments("", name, agent, List.of());
    }

    /** The command line of a next task with that agent, to be checked. */
    ParseResult ofAgent(String name) {
        return arguments("", model, name, List.of());
    }

    private ParseResult arguments(
            String task, String itsModel, String itsAgent, List<Path> images) {
        List<String> words = options(itsModel, itsAgent);
        images.forEach(image -> words.add(RunOption.IMAGE.longName() + "=" + image));
        words.add("--prompt=" + task);
        return CommandRun.parser(new ChatCommand().spec()).parseArgs(words.toArray(String[]::new));
    }

    /** The options of the next task, for another command that takes those of a run. */
    List<String> options() {
        List<String> words = options(model, agent);
        if (!session.isEmpty()) {
            change(RunOption.SESSION, session, words);
        }
        return words;
    }

    private List<String> options(String itsModel, String itsAgent) {
        List<String> words = RunsCommand.words(given, saidAgain(itsModel));
        change(RunOption.CWD, apart ? "" : workspace, words); // perhaps not the session's
        change(RunOption.MODEL, itsModel, words);
        change(RunOption.AGENT, itsAgent, words);
        return words;
    }

    /**
     * One has begun, and ended.
     *
     * @param inSession empty if none is kept
     * @param at its workspace, where the next session begins as well
     * @param demo whether it was one: that session has a folder of its own, whoever goes on with it
     */
    void ran(String inSession, String at, boolean demo) {
        apart = demo || apart && inSession.equals(session);
        begun = true;
        session = inSession;
        if (!apart) {
            workspace = at;
        }
        if (!session.isEmpty()) {
            agent = ""; // the session remembers it, and a model may have handed over since
        }
    }

    /** The next task goes on with that session. */
    void goOnWith(String id, String at) {
        begun = true;
        apart = false;
        session = id;
        workspace = at;
        agent = "";
    }

    void useModel(String name) {
        model = name;
    }

    void useAgent(String name) {
        agent = name;
    }

    /** The next task begins a session of its own. */
    void forget() {
        session = "";
        apart = false;
        anew = true;
    }

    /** Empty before there is one. */
    String session() {
        return session;
    }

    /** The model that was named last; empty if none was. */
    String model() {
        return model.isEmpty() ? RunOption.MODEL.text(given) : model;
    }

    /** The agent that was named since the last task; empty if none was. */
    String agent() {
        return agent;
    }

    /** Whether a task has been given: what the workspace is trusted with is known since then. */
    boolean hasBegun() {
        return begun;
    }

    /** Of the last task; empty before there is one. */
    String workspace() {
        return workspace;
    }

    private SessionChoice choice() {
        return session.isEmpty()
                ? new SessionChoice.Fresh(true, !workspace.isEmpty())
                : new SessionChoice.NextRun(session);
    }

    private Set<RunOption> saidAgain(String itsModel) {
        EnumSet<RunOption> again = EnumSet.allOf(RunOption.class);
        if (begun) {
            again.removeAll(ONCE);
            if (session.isEmpty()) {
                again.addAll(OF_EACH_SESSION);
            }
        }
        if (anew) {
            again.removeAll(OF_A_SESSION);
        }
        again.removeAll(EnumSet.of(RunOption.PROMPT, RunOption.PROMPT_FILE));
        if (!itsModel.isEmpty()) { // a server and its key are for the model they were given with
            Set<RunOption> server = EnumSet.of(RunOption.BASE_URL, RunOption.API_KEY_ENV);
            if (itsModel.equals(RunOption.MODEL.text(given))) {
                again.addAll(server);
            } else {
                again.removeAll(server);
            }
        }
        if (!workspace.isEmpty() || begun && !session.isEmpty()) {
            again.remove(RunOption.CWD);
        }
        return again;
    }

    private static void change(RunOption option, String value, List<String> words) {
        if (!value.isEmpty()) {
            words.add(option.longName() + "=" + value);
        }
    }
}
