package dev.agentloop.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** An order as the lines that a waiting shell reads. Nothing in it is ever taken for syntax. */
final class ShellOrder {
    private ShellOrder() {}

    /**
     * Folder, variables and arguments. The last line says that the order is whole: a shell whose
     * order was cut short by our death must not run half of it.
     *
     * @throws IOException if no program could be started like that
     */
    static byte[] of(Order order) throws IOException {
        StringBuilder lines = new StringBuilder();
        lines.append("cd -- ")
                .append(quoted(order.cwd().toString()))
                .append(" || exit\nunset OLDPWD\n");
        for (Map.Entry<String, String> variable : order.variables().entrySet()) {
            lines.append("export ").append(variable.getKey()).append('=');
            lines.append(quoted(variable.getValue())).append('\n');
        }
        String input = order.input();
        if (input != null) { // a variable of the shell only: no argument could hold that much
            lines.append("agent_input=").append(quoted(input)).append('\n');
        }
        lines.append(words(order.argv())).append("agent_ordered=whole\n");
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** A line that makes these the arguments of the shell. */
    static String words(List<String> argv) throws IOException {
        StringBuilder line = new StringBuilder("set --");
        for (String argument : argv) {
            line.append(' ').append(quoted(argument));
        }
        return line.append('\n').toString();
    }

    private static String quoted(String text) throws IOException {
        if (text.indexOf('\0') >= 0) {
            throw new IOException("a command cannot contain the character with the number 0");
        }
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
