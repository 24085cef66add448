package dev.agentloop.cli.chat;

import dev.agentloop.cli.command.AuthException;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.OptionSettings;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.command.Version;
import dev.agentloop.cli.setup.ModelSelection;
import dev.agentloop.cli.setup.RunPreparation;
import dev.agentloop.cli.workspace.RunSandbox;
import dev.agentloop.cli.workspace.WorkspaceTrust;
import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.markdown.TextFlow;
import dev.agentloop.output.SafeText;
import dev.agentloop.sandbox.Tier;
import dev.agentloop.wiring.SandboxChoice;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.function.Consumer;
import picocli.CommandLine.ParseResult;

/**
 * What stands above the first prompt of a chat: program and folder at once; model, trust and
 * sandbox of the first task as soon as they are known, because nobody is to wait for them.
 */
final class ChatHeader {
    private static final String HINT =
            "Type a task. /help lists words, @ and Tab find files, ! runs a command.\n";
    private static final String PLAIN_HINT =
            "Type a task. /help lists words, ! runs a command, /output shows a result in full.\n";
    private static final String BETWEEN = "  ";

    private final Invocation invocation;

    ChatHeader(Invocation invocation) {
        this.invocation = invocation;
    }

    String first() {
        return "agent %s  %s\n".formatted(Version.text(), SafeText.line(folder()));
    }

    /**
     * Finds out the rest on a thread of its own.
     *
     * @param next the command line of the first task
     * @param output shows it
     */
    void showRest(ParseResult next, Consumer<String> output) {
        Standing standing = new Standing(invocation, next);
        String hint = invocation.variable("TERM").equals("dumb") ? PLAIN_HINT : HINT;
        Thread.ofPlatform()
                .daemon()
                .name("chat header")
                .start(() ->
                        output.accept(
                                TextFlow.wrapped(
                                        standing.line() + hint, invocation.screen().columns())));
    }

    private String folder() {
        Path folder = invocation.currentDirectory();
        Path home = invocation.home();
        return folder.startsWith(home) && !folder.equals(home)
                ? "~/" + home.relativize(folder)
                : folder.toString();
    }

    /** How the first task would begin. */
    private record Standing(Invocation invocation, ParseResult next) {
        /** Empty where the configuration has a mistake, which the first task tells in full. */
        String line() {
            try {
                RunPreparation.Alone alone =
                        RunPreparation.loadAlone(
                                next, invocation, new LinkedHashMap<>(OptionSettings.of(next)));
                String sandbox = orNothing(() -> sandbox(alone));
                return model(alone.loaded().config()) + trust(alone.trust()) + sandbox + "\n";
            } catch (ConfigException | UsageException e) {
                return "";
            }
        }

        private String model(AgentConfig config) {
            String model =
                    orNothing(() ->
                            new ModelSelection(invocation.environment(), false)
                                    .model(config)
                                    .model()
                                    .info()
                                    .id());
            return (model.isEmpty() ? "no model yet: see /model" : SafeText.line(model)) + BETWEEN;
        }

        private static String trust(WorkspaceTrust trust) {
            return trust.isTrusted() ? "trusted folder" : "folder not trusted yet";
        }

        private String sandbox(RunPreparation.Alone alone) throws UsageException {
            try (SandboxChoice choice =
                    RunSandbox.choose(invocation, alone.loaded().config(), alone.loaded())) {
                Tier tier = choice.tier();
                return BETWEEN + (tier == Tier.NONE ? "no sandbox" : "sandbox " + tier.wireName());
            }
        }

        /** What can be wrong with a part is told by the first task. */
        private interface Part {
            String text() throws UsageException, AuthException;
        }

        private static String orNothing(Part part) {
            try {
                return part.text();
            } catch (ConfigException | UsageException | AuthException e) {
                return "";
            }
        }
    }
}
