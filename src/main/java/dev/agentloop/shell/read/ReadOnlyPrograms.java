package dev.agentloop.shell.read;

import dev.agentloop.shell.parse.Assignment;
import dev.agentloop.shell.parse.Redirect;
import dev.agentloop.shell.parse.SimpleCommand;
import dev.agentloop.shell.parse.Word;
import dev.agentloop.shell.read.OptionTable.Operands;
import dev.agentloop.shell.read.ReadOnlyTable.Row;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a command is proven to change nothing and to start nothing. A program with a slash in its
 * name is never known, whatever file that is.
 */
public final class ReadOnlyPrograms {
    private ReadOnlyPrograms() {}

    /** Whether the command, of which nothing is left to be expanded but patterns, only reads. */
    public static boolean isReadOnly(SimpleCommand command) {
        return isHarmlessAround(command) && isReading(command);
    }

    /** The same for its words alone. */
    public static boolean isReading(SimpleCommand command) {
        return isReading(command.program(), command.arguments());
    }

    /** Whether what is set and redirected for the command changes nothing. */
    public static boolean isHarmlessAround(SimpleCommand command) {
        return !command.words().isEmpty()
                && command.redirects().stream().allMatch(Redirect::isHarmless)
                && command.assignments().stream().allMatch(Assignment::isHarmless);
    }

    private static boolean isReading(String program, List<Word> arguments) {
        return switch (program) {
            case "echo" -> true;
            case "printf" -> isPrintf(arguments);
            case "test" -> isTest(texts(arguments), arguments);
            case "[" -> isBracket(arguments);
            case "find" -> FindExpression.isReadOnly(arguments);
            case "date" -> isDate(arguments);
            case "sed" -> isSedPrint(arguments);
            default -> isInTable(program, arguments);
        };
    }

    private static boolean isInTable(String program, List<Word> arguments) {
        Row row = ReadOnlyTable.row(program);
        Optional<Operands> read = row == null ? Optional.empty() : row.read(arguments);
        if (row == null || read.isEmpty()) {
            return false;
        }
        List<Word> operands = read.get().words();
        return switch (row.use()) {
            case FILES -> true;
            case ONE_FILE -> operands.size() <= 1 && allLiteral(operands);
            case EXPRESSION -> isExpressionKnown(read.get());
            case TEXT -> allLiteral(operands);
            case NOTHING -> operands.isEmpty();
        };
    }

    private static boolean isExpressionKnown(Operands operands) {
        List<Word> words = operands.words();
        return operands.expressionGiven() || words.isEmpty() || words.getFirst().isLiteral();
    }

    /** No {@code -v}; {@code %n} sets a variable in bash. */
    private static boolean isPrintf(List<Word> arguments) {
        if (arguments.isEmpty() || !arguments.getFirst().isLiteral()) {
            return false;
        }
        String format = arguments.getFirst().text();
        for (int i = format.indexOf('%'); i >= 0; i = format.indexOf('%', i)) {
            i++;
            while (i < format.length()
                    && "-+ #0123456789.*hlLjzt'".indexOf(format.charAt(i)) >= 0) {
                i++;
            }
            if (i < format.length() && format.charAt(i) == 'n') {
                return false;
            }
            i = Math.min(i + 1, format.length());
        }
        return !format.startsWith("-");
    }

    private static boolean isBracket(List<Word> arguments) {
        if (arguments.isEmpty() || !arguments.getLast().isBare("]")) {
            return false;
        }
        List<Word> inner = arguments.subList(0, arguments.size() - 1);
        return isTest(texts(inner), inner);
    }

    private static boolean isTest(List<String> words, List<Word> arguments) {
        if (!allLiteral(arguments)) {
            return false;
        }
        List<String> inner =
                !words.isEmpty() && words.getFirst().equals("!")
                        ? words.subList(1, words.size())
                        : words;
        return switch (inner.size()) {
            case 0, 1 -> true;
            case 2 -> isUnaryTest(inner.getFirst());
            case 3 -> isComparison(inner);
            default -> false;
        };
    }

    /** Not {@code -v} and {@code -R}: bash evaluates an index inside their name. */
    private static boolean isUnaryTest(String operator) {
        return operator.length() == 2
                && operator.charAt(0) == '-'
                && "efdrwxsLhnzbcpSkugOG".indexOf(operator.charAt(1)) >= 0;
    }

    private static boolean isComparison(List<String> words) {
        return switch (words.get(1)) {
            case "=", "!=", "==", "-nt", "-ot", "-ef" -> true;
            case "-eq", "-ne", "-lt", "-le", "-gt", "-ge" ->
                    isInteger(words.getFirst()) && isInteger(words.getLast());
            default -> false;
        };
    }

    /** Anything else could be an expression that bash evaluates. */
    private static boolean isInteger(String text) {
        return OptionTable.isNumber(text.startsWith("-") ? text.substring(1) : text);
    }

    /** An operand without a plus sets the clock. */
    private static boolean isDate(List<Word> arguments) {
        OptionTable table =
                OptionTable.of("-uR -dr: -I? --utc --iso-8601? --rfc-3339: --date: --reference:");
        Optional<Operands> operands = table.read(arguments);
        return operands.isPresent()
                && allLiteral(arguments)
                && operands.get().words().stream().allMatch(word -> word.startsWith("+"));
    }

    /** {@code sed -n 1,20p FILE}: printing lines by number; any other script may write or run. */
    private static boolean isSedPrint(List<Word> arguments) {
        Optional<Operands> operands = OptionTable.of("-n -e! --quiet --silent").read(arguments);
        if (operands.isEmpty() || operands.get().words().isEmpty()) {
            return false;
        }
        Word script = operands.get().words().getFirst();
        return !operands.get().expressionGiven()
                && Set.of("-n", "--quiet", "--silent").contains(arguments.getFirst().text())
                && script.isLiteral()
                && script.text().endsWith("p")
                && script.text().chars().allMatch(c -> "0123456789,$;p".indexOf(c) >= 0);
    }

    private static boolean allLiteral(List<Word> words) {
        return words.stream().allMatch(Word::isLiteral);
    }

    private static List<String> texts(List<Word> words) {
        return words.stream().map(Word::text).toList();
    }
}
