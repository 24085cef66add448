package dev.agentloop.cli;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** How a command line may go on: commands, their words, options and values of options. */
final class CommandWords {
    private final Invocation invocation;

    CommandWords(Invocation invocation) {
        this.invocation = invocation;
    }

    /** A whole word that may stand in the place of the typed one; its meaning may be empty. */
    record Word(String text, String meaning) {}

    /** What else may stand there, which a shell knows best. */
    enum Paths {
        NONE,
        FILES,
        FOLDERS
    }

    /** All that may stand in one place. */
    record Offer(List<Word> words, Paths paths) {
        static final Offer NOTHING = new Offer(List.of(), Paths.NONE);
        static final Offer FILES = new Offer(List.of(), Paths.FILES);

        static Offer of(Stream<Word> words) {
            return new Offer(words.toList(), Paths.NONE);
        }

        static Offer texts(List<String> texts) {
            return of(texts.stream().map(text -> new Word(text, "")));
        }

        private Offer beginning(String typed) {
            return new Offer(
                    words.stream().filter(word -> word.text().startsWith(typed)).toList(), paths);
        }

        private Offer behind(String prefix) {
            return new Offer(
                    words.stream()
                            .map(word -> new Word(prefix + word.text(), word.meaning()))
                            .toList(),
                    paths);
        }
    }

    /**
     * What the word at the cursor may become.
     *
     * @param before the words between {@code agent} and it
     * @param typed what is there of it
     */
    Offer offer(List<String> before, String typed) {
        if (before.isEmpty() && !typed.startsWith("-")) {
            return commands().beginning(typed);
        }
        Optional<Command> named =
                before.isEmpty() ? Optional.empty() : Commands.find(before.getFirst());
        if (!before.isEmpty() && before.getFirst().equals("help")) {
            return before.size() == 1 ? commands().beginning(typed) : Offer.NOTHING;
        }
        String name = named.isPresent() ? before.getFirst() : "run"; // agent -m MODEL "TASK"
        CommandSpec spec = Commands.find(name).orElseThrow().spec();
        List<String> its = named.isPresent() ? before.subList(1, before.size()) : before;
        return its.contains("--") ? Offer.NOTHING : of(name, spec, its, typed);
    }

    private Offer of(String name, CommandSpec spec, List<String> before, String typed) {
        OptionValues values = new OptionValues(new NamesInReach(invocation, before));
        int equals = typed.indexOf('=');
        if (typed.startsWith("--") && equals > 0) {
            OptionSpec option = spec.optionsMap().get(typed.substring(0, equals));
            return option == null || option.arity().max() == 0
                    ? Offer.NOTHING
                    : ofOption(values, option, typed.substring(equals + 1))
                            .behind(typed.substring(0, equals + 1));
        }
        OptionSpec last = before.isEmpty() ? null : spec.optionsMap().get(before.getLast());
        if (last != null && last.arity().min() > 0) {
            return ofOption(values, last, typed);
        }
        return typed.startsWith("-")
                ? options(spec).beginning(typed)
                : values.ofWord(name, spec, plain(spec, before)).beginning(typed);
    }

    /** Where a list stands behind commas, its last entry is the word. */
    private static Offer ofOption(OptionValues values, OptionSpec option, String typed) {
        boolean list = OptionValues.is(RunOption.FALLBACK_MODEL, option);
        int from = list ? typed.lastIndexOf(',') + 1 : 0;
        return values.of(option).beginning(typed.substring(from)).behind(typed.substring(0, from));
    }

    private static Offer commands() {
        List<Word> words = new ArrayList<>();
        Commands.visible()
                .forEach((name, maker) ->
                        words.add(
                                new Word(
                                        name,
                                        first(maker.get().spec().usageMessage().description()))));
        words.add(new Word("help", "Show the help of a command."));
        return new Offer(words, Paths.NONE);
    }

    private static Offer options(CommandSpec spec) {
        return Offer.of(
                spec.options().stream()
                        .flatMap(option ->
                                Arrays.stream(option.names())
                                        .filter(each -> each.startsWith("--"))
                                        .map(each -> new Word(each, first(option.description())))));
    }

    private static String first(String[] description) {
        return description.length == 0 ? "" : description[0];
    }

    /** The words that are neither options nor their values. */
    private static List<String> plain(CommandSpec spec, List<String> before) {
        List<String> plain = new ArrayList<>();
        for (int i = 0; i < before.size(); i++) {
            OptionSpec option = spec.optionsMap().get(before.get(i));
            if (option != null && option.arity().min() > 0) {
                i++; // its value
            } else if (!before.get(i).startsWith("-")) {
                plain.add(before.get(i));
            }
        }
        return plain;
    }
}
