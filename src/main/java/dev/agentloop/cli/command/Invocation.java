package dev.agentloop.cli.command;

import dev.agentloop.chat.ExternalEditor;
import dev.agentloop.cli.terminal.BrokenLines;
import dev.agentloop.cli.terminal.ChatScreen;
import dev.agentloop.cli.terminal.ErrorConsole;
import dev.agentloop.cli.terminal.MaskedOutput;
import dev.agentloop.cli.terminal.Screen;
import dev.agentloop.cli.terminal.Streams;
import dev.agentloop.cli.terminal.TerminalApprover;
import dev.agentloop.cli.terminal.TerminalPerson;
import dev.agentloop.cli.terminal.TerminalQuestion;
import dev.agentloop.cli.terminal.TerminalStyle;
import dev.agentloop.cli.terminal.TerminalTalk;
import dev.agentloop.cli.terminal.ThemeChoice;
import dev.agentloop.colour.Background;
import dev.agentloop.colour.Colours;
import dev.agentloop.output.Style;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.NobodyToAsk;
import dev.agentloop.secret.Secrets;
import dev.agentloop.tool.Person;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one call of the program is given.
 *
 * @param environment the real environment; no file adds to it
 * @param secrets what must not be shown; grows with what the configuration names
 * @param ownsProcess whether signals may be handled and the process ended; false in tests
 * @param chat what a run in a chat shares with it; null elsewhere
 */
public record Invocation(
        Streams streams,
        Map<String, String> environment,
        Path currentDirectory,
        Path home,
        Secrets secrets,
        boolean ownsProcess,
        @Nullable ChatScreen chat) {

    public Invocation(
            Streams streams,
            Map<String, String> environment,
            Path currentDirectory,
            Path home,
            boolean ownsProcess) {
        this(
                streams,
                environment,
                currentDirectory,
                home,
                Secrets.of(environment),
                ownsProcess,
                null);
    }

    /** The same, with everything that is written masked. */
    Invocation masked() {
        return withStreams(
                streams.through(
                        new MaskedOutput(streams.out(), secrets),
                        new MaskedOutput(streams.err(), secrets)));
    }

    /** The same, with lines that are broken between words where the screen is too narrow. */
    public Invocation broken() {
        return withStreams(
                streams.through(
                        new BrokenLines(streams.out(), screen()),
                        new BrokenLines(streams.err(), screen())));
    }

    /** The same, with messages to a person at the terminal broken between words. */
    Invocation withBrokenErrors() {
        return isHeadless() || !streams.errIsTerminal()
                ? this
                : withStreams(
                        streams.through(streams.out(), new BrokenLines(streams.err(), screen())));
    }

    /** The same call of the program, which reads from and writes to these streams instead. */
    public Invocation withStreams(Streams others) {
        return new Invocation(
                others, environment, currentDirectory, home, secrets, ownsProcess, chat);
    }

    /** The same call on a terminal that only takes whole lines, whatever it can do. */
    Invocation plain() {
        Map<String, String> plain = new HashMap<>(environment);
        plain.put("TERM", "dumb");
        plain.put("NO_COLOR", "1");
        return new Invocation(streams, plain, currentDirectory, home, secrets, ownsProcess, chat);
    }

    /** The same call for a run or command that a chat starts, which shares its screen with it. */
    public Invocation in(ChatScreen itsScreen) {
        return new Invocation(
                streams, environment, currentDirectory, home, secrets, ownsProcess, itsScreen);
    }

    public String variable(String name) {
        return environment.getOrDefault(name, "");
    }

    /**
     * A folder of the XDG base directory specification, e.g. XDG_STATE_HOME, {@code .local/state}.
     */
    public Path xdg(String variable, String fallback) {
        String set = variable(variable);
        boolean usable = !set.isEmpty() && Path.of(set).isAbsolute(); // relative ones are ignored
        return (usable ? Path.of(set) : home.resolve(fallback)).resolve("agent");
    }

    /** Where this program keeps what it must remember: sessions, notes, whom the user trusts. */
    public Path state() {
        return xdg("XDG_STATE_HOME", ".local/state");
    }

    /** Where sessions are kept, as far as no configuration has a say in them. */
    public Path sessions() {
        return state().resolve("sessions");
    }

    /** Non-interactive use: nobody is asked, nothing is drawn. */
    public boolean isHeadless() {
        return !streams.isInteractive() || !streams.outIsTerminal() || !variable("CI").isEmpty();
    }

    /** Signs and colours of what is shown, if it goes to a terminal. */
    public Style style(boolean terminal) {
        return TerminalStyle.of(environment, terminal, this::colours);
    }

    private Colours colours() {
        Background said = chat == null ? Background.UNKNOWN : chat.background().get();
        return Colours.of(
                new ThemeChoice(environment, state()).theme(),
                said == Background.UNKNOWN ? Background.of(environment) : said,
                environment);
    }

    /** The screen that questions are shown on. */
    public Screen screen() {
        return ownsProcess && !isHeadless() ? Screen.ofProcess() : Screen.UNKNOWN;
    }

    /** How a command asks the person something, outside of a run. */
    public TerminalQuestion question() {
        return new TerminalQuestion(streams, screen(), chat == null ? null : chat::answer);
    }

    /** How a run asks the person something, below what it prints there. */
    public TerminalTalk talk(ErrorConsole console) {
        return new TerminalTalk(streams, console, screen(), chat);
    }

    /** Who is asked about calls. */
    public Approver approver(TerminalTalk talk, TerminalApprover.Keeper keeper) {
        return isHeadless()
                ? new NobodyToAsk()
                : new TerminalApprover(
                        talk,
                        keeper,
                        chat != null && chat.line().isOpen()
                                ? text -> chat.edited("   Command: ", text)
                                : new ExternalEditor(environment)::edit);
    }

    /** Who is asked what the model wants to know. */
    public Person person(TerminalTalk talk) {
        return isHeadless()
                ? Person.NOBODY
                : new TerminalPerson(talk, chat == null ? List::of : chat.line()::takeTold);
    }
}
