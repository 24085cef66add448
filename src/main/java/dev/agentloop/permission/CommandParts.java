package dev.agentloop.permission;

import java.util.ArrayList;
import java.util.List;

/**
 * A cautious look at a shell command. It does not understand quoting: whatever could start another
 * command counts as if it did, so that a rule can only become stricter by a mistake.
 */
final class CommandParts {
    private static final String OPERATORS = ";|&\n\r()`{}<>";

    private CommandParts() {}

    /** The whole command and every piece between operators, without blanks around. */
    static List<String> of(String command) {
        List<String> parts = new ArrayList<>();
        parts.add(command.strip());
        StringBuilder part = new StringBuilder();
        for (int i = 0; i < command.length(); i++) {
            char c = command.charAt(i);
            if (OPERATORS.indexOf(c) >= 0) {
                parts.add(part.toString().strip());
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        parts.add(part.toString().strip());
        return parts;
    }
}
