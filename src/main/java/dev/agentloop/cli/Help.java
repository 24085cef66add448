package dev.agentloop.cli;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.CommandProblem;
import dev.agentloop.cli.command.CommandRun;
import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.OutputFormat;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.terminal.OtherTools;
import dev.agentloop.output.SafeText;
import dev.agentloop.tool.Similar;
import java.io.IOException;
import java.util.List;

/** The overview of commands, and the help of one. */
final class Help {
    private static final int WIDEST = 66; // columns of what a command does

    /** Commands as the overview lists them; each visible command is in one of them. */
    enum Group {
        WORK("Work", "run chat resume undo loop pipeline parallel eval"),
        SESSIONS("Sessions", "sessions replay context"),
        PROJECT("Project", "config tools agents skills memory policy mcp"),
        AUTOMATION("Automation", "worker submit signal status result schema"),
        SETUP("Setup", "models doctor completion");

        final List<String> commands;
        private final String heading;

        Group(String heading, String commands) {
            this.heading = heading;
            this.commands = List.of(commands.split(" "));
        }
    }

    private Help() {}

    static int general(Invocation invocation, boolean asError) throws IOException {
        if (asError) {
            invocation.streams().printError(overview());
            return ExitCode.CONFIG_ERROR.code();
        }
        invocation.streams().print(overview());
        return ExitCode.SUCCESS.code();
    }

    static int of(String[] words, Invocation invocation) throws IOException {
        if (words.length < 2) {
            return general(invocation, false);
        }
        var command = Commands.find(words[1]);
        if (command.isEmpty()) {
            return unknown(new String[] {words[1]}, invocation);
        }
        boolean all = words.length == 3 && words[2].equals("all");
        invocation.streams().print(CommandRun.help(command.get(), all));
        return ExitCode.SUCCESS.code();
    }

    /** Whether what follows {@code agent} is a task, and no mistyped command, or another tool's. */
    static boolean isTask(String first) {
        boolean sentence = first.strip().contains(" ");
        boolean command =
                OtherTools.hasCommand(first)
                        || !Similar.to(first, Commands.visible().keySet(), 1).isEmpty();
        return !first.isBlank() && !first.startsWith("-") && (sentence || !command);
    }

    /** Refuses a command that stands behind its options, and would be taken for a task. */
    static int optionsBehind(String command, String[] words, Invocation invocation)
            throws IOException {
        String problem =
                "the options of a command stand behind its name: agent %s … %s.\n  See: agent %s --help"
                        .formatted(command, SafeText.line(words[0], 80), command);
        boolean json = OutputFormat.ofBroken(List.of(words)) != OutputFormat.TEXT;
        return CommandProblem.of(new UsageException(problem)).report(invocation.streams(), json);
    }

    /** Refuses words of which the first is no command; the exit code. */
    static int unknown(String[] words, Invocation invocation) throws IOException {
        String word = words[0];
        List<String> near = Similar.to(word, Commands.visible().keySet(), 1);
        String meant = "to give a task, write agent run \"" + word + " …\"";
        String problem =
                "there is no command \""
                        + SafeText.line(word, 80)
                        + "\"; "
                        + (near.isEmpty() ? "" : "did you mean agent " + near.getFirst() + "? ")
                        + SafeText.line(meant, 200)
                        + ".\n  See: agent --help";
        boolean json = OutputFormat.ofBroken(List.of(words)) != OutputFormat.TEXT;
        return CommandProblem.of(new UsageException(problem)).report(invocation.streams(), json);
    }

    private static String overview() {
        StringBuilder text = new StringBuilder();
        text.append("agent: a coding agent for the terminal, CI jobs and scripts\n\n");
        text.append("Usage: agent [OPTIONS]        talk at the terminal (agent chat)\n");
        text.append("       agent [OPTIONS] \"TASK\" do a task (agent run)\n");
        text.append("       agent COMMAND [OPTIONS] [WORDS...]\n");
        for (Group group : Group.values()) {
            text.append('\n').append(group.heading).append(":\n");
            for (String name : group.commands) {
                Command command = Commands.find(name).orElseThrow();
                text.append("  ").append(name).append(" ".repeat(12 - name.length()));
                text.append(brief(command.spec().usageMessage().description())).append('\n');
            }
        }
        text.append("\nagent COMMAND --help shows the help of a command.\n");
        text.append("Options: -h, --help; -V, --version\n\n");
        text.append("Try it without a key: agent run --model demo/scripted \"fix the bug\"\n");
        return text.toString();
    }

    /** What it does, without how: as much of its description as fits beside its name. */
    private static String brief(String[] description) {
        String first = String.join(" ", description).split("[.:;](?: |$)")[0];
        int comma = first.lastIndexOf(',', WIDEST);
        return first.length() <= WIDEST || comma < 0 ? first : first.substring(0, comma);
    }
}
