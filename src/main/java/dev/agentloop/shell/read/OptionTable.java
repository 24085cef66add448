package dev.agentloop.shell.read;

import dev.agentloop.shell.parse.Word;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The options of one program that are known, by their exact names. A table is a line of text:
 * {@code -abc} three flags, {@code -n:} and {@code --name:} with a value, {@code --name?} with a
 * value only behind {@code =}, {@code -e!} a value that stands for the first operand, {@code -#} a
 * number.
 */
public final class OptionTable {
    private final Map<String, Character> options = new HashMap<>();

    private OptionTable() {}

    /** What is left of a command line when its options are taken away. */
    public record Operands(List<Word> words, boolean expressionGiven) {}

    public static OptionTable of(String table) {
        OptionTable result = new OptionTable();
        for (String entry : table.split(" ")) {
            char mark = entry.charAt(entry.length() - 1);
            boolean marked = ":?!".indexOf(mark) >= 0;
            String name = marked ? entry.substring(0, entry.length() - 1) : entry;
            if (name.startsWith("--")) {
                result.options.put(name, marked ? mark : ' ');
            } else {
                name.substring(1)
                        .chars()
                        .forEach(c -> result.options.put("-" + (char) c, marked ? mark : ' '));
            }
        }
        return result;
    }

    /** Empty if one option is not in the table, or could turn out to be one that is not. */
    public Optional<Operands> read(List<Word> arguments) {
        return read(new Reading(arguments, false));
    }

    /** The same for a program whose options do no harm: a pattern may match one. */
    Optional<Operands> readAny(List<Word> arguments) {
        return read(new Reading(arguments, true));
    }

    private static Optional<Operands> read(Reading reading) {
        return reading.isKnown() ? Optional.of(reading.operands()) : Optional.empty();
    }

    /** Where the first word stands that is no option; -1 if an option is not in the table. */
    public int firstOperand(List<Word> arguments) {
        return new Reading(arguments, false).firstOperand();
    }

    private final class Reading {
        private final List<Word> arguments;
        private final List<Word> operands = new ArrayList<>();
        private final boolean anyOption;
        private boolean expressionGiven;
        private int at;

        Reading(List<Word> arguments, boolean anyOption) {
            this.arguments = arguments;
            this.anyOption = anyOption;
        }

        Operands operands() {
            return new Operands(operands, expressionGiven);
        }

        int firstOperand() {
            while (at < arguments.size()) {
                Word word = arguments.get(at);
                if (word.text().equals("--")) {
                    return at + 1;
                }
                if (!word.startsWith("-") || word.text().equals("-")) {
                    return at;
                }
                at++;
                if (!word.isLiteral() || !isOption(word.text())) {
                    return -1;
                }
            }
            return at;
        }

        boolean isKnown() {
            while (at < arguments.size()) {
                Word word = arguments.get(at++);
                if (word.text().equals("--") && word.isLiteral()) {
                    operands.addAll(arguments.subList(at, arguments.size()));
                    return true;
                }
                if (word.startsWith("-") && !word.text().equals("-")) {
                    if (!word.isLiteral() || !isOption(word.text())) {
                        return false;
                    }
                } else if (mayBeOption(word)) {
                    return false;
                } else {
                    operands.add(word);
                }
            }
            return true;
        }

        /** A file whose name begins with a dash may match. */
        private boolean mayBeOption(Word word) {
            return !anyOption
                            && word.kind() == Word.Kind.PATTERN
                            && (word.text().isEmpty() || "*?[".indexOf(word.text().charAt(0)) >= 0)
                    || word.kind() == Word.Kind.DYNAMIC;
        }

        private boolean isOption(String text) {
            if (text.startsWith("--")) {
                return isLong(text);
            }
            if (options.containsKey("-#") && isNumber(text.substring(1))) {
                return true;
            }
            for (int i = 1; i < text.length(); i++) {
                Character mark = options.get("-" + text.charAt(i));
                if (mark == null) {
                    return false;
                }
                if (mark != ' ') {
                    return mark == '?' || i < text.length() - 1 ? taken(mark) : hasValue(mark);
                }
            }
            return true;
        }

        private boolean isLong(String text) {
            int equals = text.indexOf('=');
            @Nullable Character mark = options.get(equals < 0 ? text : text.substring(0, equals));
            if (mark == null || equals >= 0 && mark == ' ') {
                return false;
            }
            return mark == ' ' || mark == '?' || equals >= 0 ? taken(mark) : hasValue(mark);
        }

        private boolean taken(char mark) {
            expressionGiven |= mark == '!';
            return true;
        }

        /** The value is the next word. */
        private boolean hasValue(char mark) {
            return at < arguments.size() && arguments.get(at++).isLiteral() && taken(mark);
        }
    }

    static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
