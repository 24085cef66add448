package dev.agentloop.cli;

import dev.agentloop.cli.CommandWords.Offer;
import dev.agentloop.cli.CommandWords.Paths;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.config.key.Key;
import dev.agentloop.config.key.KeyLookup;
import dev.agentloop.config.key.KeyPath;
import dev.agentloop.config.key.ValueType;
import dev.agentloop.llm.Effort;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The values of options and the plain words of commands, read from their labels and from the types
 * of the configuration keys that options set.
 */
final class OptionValues {
    private final NamesInReach names;

    OptionValues(NamesInReach names) {
        this.names = names;
    }

    Offer of(OptionSpec option) {
        String label = option.paramLabel();
        return switch (label) {
            case "FILE", "FILE|TEXT" -> Offer.FILES;
            case "DIR" -> new Offer(List.of(), Paths.FOLDERS);
            case "PROVIDER/MODEL", "A,B" -> names.models();
            default ->
                    is(RunOption.SESSION, option)
                            ? names.sessions()
                            : is(RunOption.AGENT, option) ? names.agents() : choices(option, label);
        };
    }

    static boolean is(RunOption known, OptionSpec option) {
        return List.of(option.names()).contains(known.longName());
    }

    private static Offer choices(OptionSpec option, String label) {
        if (label.contains("|") || label.equals(label.toLowerCase(Locale.ROOT))) {
            return Offer.texts(List.of(label.split("\\|")));
        }
        for (RunOption known : RunOption.values()) {
            if (is(known, option) && !known.key().isEmpty()) {
                Key key = KeyLookup.at(KeyPath.of(known.key()));
                return key == null ? Offer.NOTHING : ofType(key.type());
            }
        }
        return Offer.NOTHING;
    }

    private static Offer ofType(ValueType type) {
        return switch (type) {
            case ValueType.Choice choice -> Offer.texts(choice.words());
            case ValueType.Text(ValueType.Form form) when form == ValueType.Form.EFFORT ->
                    Offer.texts(
                            Arrays.stream(Effort.values())
                                    .map(each -> each.name().toLowerCase(Locale.ROOT))
                                    .toList());
            default -> Offer.NOTHING;
        };
    }

    /** The next plain word behind these of a command. */
    Offer ofWord(String command, CommandSpec spec, List<String> before) {
        String label = spec.positionalParameters().getFirst().paramLabel();
        List<String> verbs = verbs(label);
        if (!verbs.isEmpty()) {
            return before.isEmpty()
                    ? Offer.texts(verbs)
                    : behindVerb(command, before.getFirst(), before.size());
        }
        if (before.isEmpty()) {
            return switch (label) {
                case "SESSION", "[ID] PROMPT" -> names.sessions();
                case "FILE", "SUITE" -> Offer.FILES;
                case "CASSETTE|SESSION" -> new Offer(names.sessions().words(), Paths.FILES);
                default -> Offer.NOTHING;
            };
        }
        return Offer.NOTHING;
    }

    /** The first words of a label such as {@code list|show NAME}; none of one such as SESSION. */
    private static List<String> verbs(String label) {
        return label.equals(label.toUpperCase(Locale.ROOT))
                ? List.of()
                : Arrays.stream(label.split("\\|")).map(each -> each.split(" ")[0]).toList();
    }

    private Offer behindVerb(String command, String verb, int place) {
        if (command.equals("sessions")) {
            boolean taken = place > 1 && !verb.equals("rm");
            return taken || List.of("list", "prune").contains(verb)
                    ? Offer.NOTHING
                    : names.sessions();
        }
        if (place > 1) {
            return Offer.NOTHING;
        }
        return switch (command + " " + verb) {
            case "agents show" -> names.agents();
            case "skills show" -> names.skills();
            case "models list" -> names.providers();
            case "models test" -> names.models();
            case "mcp remove", "mcp approve", "mcp probe" -> names.servers();
            case "policy test", "policy audit" -> Offer.FILES;
            default -> Offer.NOTHING;
        };
    }
}
