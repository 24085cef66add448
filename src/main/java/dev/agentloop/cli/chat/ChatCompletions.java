package dev.agentloop.cli.chat;

import dev.agentloop.chat.Completions;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.setup.KnownNames;
import dev.agentloop.colour.Theme;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.output.SafeText;
import dev.agentloop.skill.CustomCommands;
import dev.agentloop.skill.SkillPlaces;
import dev.agentloop.trust.TrustStore;
import dev.agentloop.trust.WorkspaceIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the Tab key knows at the prompt of a chat: words, models, agents, sessions and files. */
final class ChatCompletions implements Completions {
    private static final int MOST = 100; // models or sessions

    private final Invocation invocation;
    private final ChatRuns runs;
    private final ChatChoice choice;

    ChatCompletions(Invocation invocation, ChatRuns runs, ChatChoice choice) {
        this.invocation = invocation;
        this.runs = runs;
        this.choice = choice;
    }

    @Override
    public List<Completion> of(List<String> before, String word) {
        if (word.startsWith("@")) {
            return FilePaths.of(workspace(), word.substring(1));
        }
        if (before.isEmpty()) {
            return word.startsWith("/") ? beginning(words(), word) : List.of();
        }
        return before.size() > 1
                ? List.of()
                : switch (before.getFirst()) {
                    case "/model" -> holding(models(), word);
                    case "/agent" -> beginning(agents(), word);
                    case "/theme" -> beginning(themes(), word);
                    case "/resume" -> beginning(sessions(), word);
                    default -> List.of();
                };
    }

    private Path workspace() {
        return runs.workspace().isEmpty()
                ? invocation.currentDirectory()
                : Path.of(runs.workspace());
    }

    private static List<Completion> beginning(Stream<Completion> all, String word) {
        return all.filter(each -> each.text().startsWith(word)).limit(MOST).toList();
    }

    private static List<Completion> holding(Stream<Completion> all, String word) {
        return all.filter(each -> each.text().contains(word)).limit(MOST).toList();
    }

    private Stream<Completion> words() {
        List<Completion> words = new ArrayList<>();
        for (ChatWord word : ChatWord.values()) {
            words.add(new Completion(word.written(), word.meaning, true));
        }
        try {
            for (CustomCommands.Entry own :
                    new CustomCommands(places()).entries(new ArrayList<>())) {
                words.add(
                        new Completion(
                                "/" + SafeText.line(own.name()),
                                SafeText.line(own.description()),
                                true));
            }
        } catch (ConfigException | IOException e) {
            return words.stream(); // whoever uses such a command is told what is wrong
        }
        return words.stream();
    }

    /** The project's own count only if it is trusted as it is now. */
    private SkillPlaces places() throws IOException {
        WorkspaceIdentity identity = WorkspaceIdentity.of(workspace(), invocation.home());
        boolean trusted =
                new TrustStore(invocation.state().resolve("trust")).standing(identity)
                        == TrustStore.Standing.TRUSTED;
        return new SkillPlaces(
                invocation.xdg("XDG_CONFIG_HOME", ".config"),
                trusted
                        ? Optional.of(
                                new SkillPlaces.Project(identity.root(), workspace().toRealPath()))
                        : Optional.empty());
    }

    private Stream<Completion> models() {
        return choice.config().stream()
                .flatMap(loaded -> KnownNames.models(loaded.config()))
                .map(name -> new Completion(name, "", true));
    }

    private Stream<Completion> agents() {
        return choice.config().stream()
                .flatMap(loaded -> KnownNames.agents(loaded.config()))
                .map(name -> new Completion(SafeText.line(name), "", true));
    }

    private static Stream<Completion> themes() {
        return Arrays.stream(Theme.values())
                .map(theme -> new Completion(theme.word(), theme.meaning, true));
    }

    private Stream<Completion> sessions() {
        return KnownNames.sessions(invocation, workspace()).stream()
                .map(session ->
                        new Completion(session.id(), SafeText.line(session.title(), 40), true));
    }
}
