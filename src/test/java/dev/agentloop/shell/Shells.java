package dev.agentloop.shell;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.agentloop.shell.ShellReading.Clear;
import dev.agentloop.shell.ShellReading.Unclear;
import dev.agentloop.shell.parse.SimpleCommand;
import java.nio.file.Path;
import java.util.List;

/** Command lines read as if in a workspace that does not exist, so that no link leads elsewhere. */
public final class Shells {
    public static final Path WORKSPACE = Path.of("/agent-test/ws");
    static final Path HOME = Path.of("/agent-test/home");

    private Shells() {}

    public static CommandFacts facts(String line) {
        return CommandAnalysis.of(line, WORKSPACE, WORKSPACE, HOME);
    }

    /** The commands in their normal form; the line has to be clear. */
    public static List<String> clear(String line) {
        Clear clear = assertInstanceOf(Clear.class, facts(line).reading(), line);
        return texts(clear.commands());
    }

    /** The commands seen all the same; the line must not be clear. */
    public static List<String> seen(String line) {
        Unclear unclear = assertInstanceOf(Unclear.class, facts(line).reading(), line);
        return texts(unclear.seen());
    }

    /** A line of a table: {@code \n} stands for a line feed, as tables have one row a line. */
    public static String line(String cell) {
        return cell.replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t");
    }

    private static List<String> texts(List<SimpleCommand> commands) {
        return commands.stream().map(SimpleCommand::text).toList();
    }
}
