package dev.agentloop.shell.read;

import dev.agentloop.shell.parse.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The words of {@code find}: where it starts, what it looks for, and what it does with it. */
public final class FindExpression {
    private static final Set<String> WITH_VALUE =
            Set.of(
                    "-name",
                    "-iname",
                    "-path",
                    "-ipath",
                    "-wholename",
                    "-iwholename",
                    "-regex",
                    "-iregex",
                    "-regextype",
                    "-type",
                    "-xtype",
                    "-size",
                    "-mtime",
                    "-mmin",
                    "-atime",
                    "-amin",
                    "-ctime",
                    "-cmin",
                    "-newer",
                    "-anewer",
                    "-cnewer",
                    "-maxdepth",
                    "-mindepth",
                    "-perm",
                    "-user",
                    "-group",
                    "-uid",
                    "-gid",
                    "-links",
                    "-inum",
                    "-samefile",
                    "-lname",
                    "-ilname",
                    "-fstype",
                    "-used",
                    "-printf");

    private static final Set<String> ALONE =
            Set.of(
                    "-print",
                    "-print0",
                    "-ls",
                    "-prune",
                    "-not",
                    "-a",
                    "-o",
                    "-and",
                    "-or",
                    "!",
                    "(",
                    ")",
                    ",",
                    "-true",
                    "-false",
                    "-empty",
                    "-executable",
                    "-readable",
                    "-writable",
                    "-xdev",
                    "-mount",
                    "-depth",
                    "-d",
                    "-nouser",
                    "-nogroup",
                    "-daystart",
                    "-quit",
                    "-noleaf",
                    "-ignore_readdir_race");

    /** They choose among the files found. */
    private static final Set<String> FILTERS =
            Set.of(
                    "-name",
                    "-iname",
                    "-path",
                    "-ipath",
                    "-wholename",
                    "-regex",
                    "-iregex",
                    "-size",
                    "-mtime",
                    "-mmin",
                    "-newer",
                    "-empty",
                    "-user",
                    "-samefile",
                    "-inum",
                    "-perm");

    private static final Set<String> RUNNING = Set.of("-exec", "-execdir", "-ok", "-okdir");

    private FindExpression() {}

    static boolean isReadOnly(List<Word> arguments) {
        int first = firstTest(arguments);
        for (Word start : arguments.subList(0, first)) {
            if (!start.isLiteral() && "*?[-".indexOf(start.text().charAt(0)) >= 0) {
                return false; // a file called -delete may match
            }
        }
        for (int i = first; i < arguments.size(); i++) {
            Word word = arguments.get(i);
            if (!word.isLiteral()) {
                return false;
            }
            if (WITH_VALUE.contains(word.text())) {
                i++;
                if (i >= arguments.size() || !arguments.get(i).isLiteral()) {
                    return false;
                }
            } else if (!ALONE.contains(word.text())) {
                return false;
            }
        }
        return true;
    }

    /** The folders to start from. */
    public static List<Word> starts(List<Word> arguments) {
        List<Word> starts =
                arguments.subList(0, firstTest(arguments)).stream()
                        .filter(word -> !isGlobal(word.text()))
                        .toList();
        return starts.isEmpty() ? List.of(Word.literal(".")) : starts;
    }

    public static boolean deletes(List<Word> arguments) {
        return arguments.stream().anyMatch(word -> word.text().equals("-delete"));
    }

    public static boolean filters(List<Word> arguments) {
        return arguments.stream().anyMatch(word -> FILTERS.contains(word.text()));
    }

    /** The commands that it starts for the files found. */
    public static List<List<Word>> commands(List<Word> arguments) {
        List<List<Word>> commands = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            if (RUNNING.contains(arguments.get(i).text())) {
                int end = i + 1;
                while (end < arguments.size() && !isEnd(arguments.get(end).text())) {
                    end++;
                }
                commands.add(arguments.subList(i + 1, end));
                i = end;
            }
        }
        return commands;
    }

    private static boolean isEnd(String word) {
        return word.equals(";") || word.equals("+");
    }

    private static int firstTest(List<Word> arguments) {
        int first = 0;
        while (first < arguments.size() && !isTest(arguments.get(first).text())) {
            first++;
        }
        return first;
    }

    private static boolean isTest(String word) {
        return word.startsWith("-") && !isGlobal(word)
                || word.equals("(")
                || word.equals("!")
                || word.equals(",");
    }

    private static boolean isGlobal(String word) {
        return Set.of("-H", "-L", "-P", "-O1", "-O2", "-O3").contains(word);
    }
}
