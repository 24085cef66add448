package dev.agentloop.cli;

import dev.agentloop.cli.command.Command;
import dev.agentloop.cli.command.CommandRun;
import dev.agentloop.cli.run.RunCommand;
import dev.agentloop.docs.Page;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class CliDocsTest {
    private static final Set<String> OF_RUN = namesOf(new RunCommand().spec());

    @Test
    void thePageListsEveryCommandWithItsOptions() throws IOException {
        StringBuilder part = new StringBuilder();
        for (Map.Entry<String, Supplier<Command>> command : Commands.visible().entrySet()) {
            describe(part, command.getKey(), command.getValue().get().spec());
        }

        Page.of("docs/cli.md").checkPart("commands", part.toString());
    }

    private static void describe(StringBuilder part, String name, CommandSpec spec) {
        part.append("## agent ").append(name).append("\n\n");
        part.append(String.join(" ", spec.usageMessage().description())).append("\n\n");
        String synopsis = CommandRun.parser(spec).getHelp().abbreviatedSynopsis().strip();
        part.append("```\n").append(synopsis).append("\n```\n\n");
        boolean sharesOptions = !name.equals("run") && namesOf(spec).containsAll(OF_RUN);
        if (sharesOptions) {
            part.append("Takes the options of [agent run](#agent-run)");
        }
        List<OptionSpec> own =
                spec.options().stream()
                        .filter(option -> !sharesOptions || !OF_RUN.contains(option.longestName()))
                        .toList();
        part.append(sharesOptions ? own.isEmpty() ? ".\n\n" : ", and:\n\n" : "");
        if (!own.isEmpty()) {
            part.append("| option | meaning |\n|---|---|\n");
            own.forEach(option -> row(part, option));
            part.append('\n');
        }
    }

    private static void row(StringBuilder part, OptionSpec option) {
        boolean flag = option.auxiliaryTypes()[0] == boolean.class;
        String label = flag ? "" : " " + option.paramLabel();
        part.append("| `").append(String.join("`, `", option.names())).append(label).append("` | ");
        part.append(String.join(" ", option.description()).replace("|", "\\|")).append(" |\n");
    }

    private static Set<String> namesOf(CommandSpec spec) {
        Set<String> names = new HashSet<>();
        spec.options().forEach(option -> names.addAll(Arrays.asList(option.names())));
        return names;
    }
}
