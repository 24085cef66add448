package dev.agentloop.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.World;
import dev.agentloop.cli.command.CommandRun;
import dev.agentloop.cli.run.RunCommand;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.OptionSpec;

class HelpTest {
    @Test
    @DisplayName("the overview has each command once, in 80 columns")
    void overview() {
        List<String> grouped = new ArrayList<>();
        for (Help.Group group : Help.Group.values()) {
            grouped.addAll(group.commands);
        }
        assertEquals(
                Commands.visible().keySet().stream().sorted().toList(),
                grouped.stream().sorted().toList());
        try (World world = World.withoutModel()) {
            String help = world.inside("--help").out();
            assertFits(help);
            assertTrue(help.contains("\n  run         Work on one task until it is done\n"), help);
        }
    }

    @Test
    @DisplayName("the help of a run has twelve options and examples, --help all has every option")
    void ofARun() {
        try (World world = World.withoutModel()) {
            String few = world.inside("run", "--help").out();
            assertFits(few);
            assertEquals(12, few.lines().filter(line -> line.matches(" {2,6}-.*")).count(), few);
            assertTrue(few.contains("agent run --help all") && few.contains("Examples:"), few);

            String all = world.inside("run", "--help", "all").out();
            assertFits(all);
            assertEquals(all, world.inside("help", "run", "all").out());
            assertTrue(all.contains("\nLimits and checks:\n"), all);
            for (OptionSpec option : new RunCommand().spec().options()) {
                assertTrue(all.contains(option.longestName()), option::longestName);
            }
        }
        Commands.visible()
                .forEach((name, command) -> {
                    assertFits(CommandRun.help(command.get(), false));
                    assertFits(CommandRun.help(command.get(), true));
                });
    }

    private static void assertFits(String help) {
        help.lines().forEach(line -> assertTrue(line.length() <= 80, line));
    }
}
