package dev.agentloop.verification;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Commands that a project's instructions call its tests, its build or its linter: those in code
 * spans of lines that speak of one, and in code blocks below such a heading or line.
 */
public final class NamedChecks {
    private static final int MOST = 50; // commands of one file
    private static final Pattern SPAN = Pattern.compile("`([^`\n]+)`");
    private static final Pattern PROGRAM = Pattern.compile("(?:\\./)?[\\w.@/-]+(?: .*)?");

    private static final Pattern DENIED = Pattern.compile("(?i)\\b(?:not|never)\\b|n't\\b");

    private NamedChecks() {}

    /** The commands, as they are written. */
    public static List<String> in(String instructions) {
        List<String> commands = new ArrayList<>();
        boolean speaks = false;
        boolean block = false;
        for (String line : instructions.split("\n")) {
            String plain = line.strip();
            if (plain.startsWith("```") || plain.startsWith("~~~")) {
                block = !block;
            } else if (block) {
                String command = plain.startsWith("$ ") ? plain.substring(2) : plain;
                add(command, speaks || saysCheck(comment(command)), commands);
            } else if (!plain.isEmpty()) {
                boolean here = saysCheck(plain) && !DENIED.matcher(plain).find();
                speaks = plain.startsWith("#") ? here : speaks && !plain.endsWith(":") || here;
                Matcher span = SPAN.matcher(plain);
                while (span.find()) {
                    add(span.group(1), here || speaks, commands);
                }
            }
        }
        return commands;
    }

    private static void add(String text, boolean isCheck, List<String> commands) {
        String command = withoutComment(text).strip();
        boolean runs = PROGRAM.matcher(command).matches() && !command.startsWith("#");
        if (isCheck && runs && commands.size() < MOST) {
            commands.add(command);
        }
    }

    private static String withoutComment(String text) {
        int at = Math.max(text.indexOf(" #"), text.indexOf("\t#"));
        return at < 0 ? text : text.substring(0, at);
    }

    private static String comment(String command) {
        int at = command.indexOf('#');
        return at < 0 ? "" : command.substring(at);
    }

    private static boolean saysCheck(String text) {
        for (String word : text.toLowerCase(Locale.ROOT).split("[^a-z0-9]+")) {
            boolean says =
                    CheckCommands.speaks(word)
                            || word.startsWith("test")
                            || word.startsWith("lint");
            if (says) {
                return true;
            }
        }
        return false;
    }
}
