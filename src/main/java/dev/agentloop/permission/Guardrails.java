package dev.agentloop.permission;

import dev.agentloop.shell.CommandFacts;
import dev.agentloop.shell.Spellings;
import dev.agentloop.shell.parse.SimpleCommand;
import dev.agentloop.shell.parse.Word;
import dev.agentloop.tool.CaseFold;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.SubjectKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What never happens in this workspace, whoever allows it.
 *
 * @param protectedFiles patterns of files that are never changed
 * @param sensitiveFiles patterns of files that are neither read nor changed
 * @param blockedCommands regular expressions; a command in which one is found does not run
 */
public record Guardrails(
        List<String> protectedFiles, List<String> sensitiveFiles, List<Pattern> blockedCommands) {
    private static final int MAX_BELOW = 10_000; // names in one folder

    /** Nothing is forbidden. */
    public static final Guardrails NONE = new Guardrails(List.of(), List.of(), List.of());

    public Guardrails {
        protectedFiles = List.copyOf(protectedFiles);
        sensitiveFiles = List.copyOf(sensitiveFiles);
        blockedCommands = List.copyOf(blockedCommands);
    }

    /** Why the call must not run; empty if nothing speaks against it. */
    Optional<Decision> refusal(JudgedCall call, Circumstances where) {
        if (this.equals(NONE)) {
            return Optional.empty();
        }
        if (call.facts().isPresent()) {
            return command(call, call.facts().get(), where);
        }
        if (call.kind() == SubjectKind.URL) {
            return Optional.empty();
        }
        boolean writes = call.ready().spec().effect() != Effect.PURE;
        for (String path : call.ready().paths()) {
            Optional<Decision> refusal = file(Path.of(path), writes, where);
            if (refusal.isPresent()) {
                return refusal;
            }
        }
        return Optional.empty();
    }

    private Optional<Decision> file(Path path, boolean writes, Circumstances where) {
        List<String> names = where.names(path);
        String shown = names.getFirst();
        Optional<String> sensitive = match(sensitiveFiles, names);
        if (sensitive.isPresent()) {
            return deny("guardrails.sensitive_files", shown + " matches " + sensitive.get());
        }
        Optional<String> kept = writes ? match(protectedFiles, names) : Optional.empty();
        return kept.isPresent()
                ? deny("guardrails.protected_files", shown + " matches " + kept.get())
                : Optional.empty();
    }

    private Optional<Decision> command(JudgedCall call, CommandFacts facts, Circumstances where) {
        String command = call.ready().subject();
        for (Pattern blocked : blockedCommands) {
            boolean found =
                    blocked.matcher(command).find()
                            || facts.reading().commands().stream()
                                    .anyMatch(part -> isFound(blocked, part));
            if (found) {
                return deny("guardrails.blocked_commands", "it matches " + blocked);
            }
        }
        for (Path path : facts.writes()) {
            Optional<Decision> refusal =
                    Files.isDirectory(path) ? folder(path, where) : file(path, true, where);
            if (refusal.isPresent()) {
                return refusal;
            }
        }
        for (Path path : facts.reads()) {
            Optional<Decision> refusal = file(path, false, where);
            if (refusal.isPresent()) {
                return refusal;
            }
        }
        return word(facts);
    }

    /** In the command as it is written, or without what stands before its program and verb. */
    private static boolean isFound(Pattern blocked, SimpleCommand command) {
        return blocked.matcher(command.text()).find()
                || Spellings.of(command).stream().anyMatch(one -> blocked.matcher(one).find());
    }

    /** What moves or deletes a folder does so to all that is in it. */
    private Optional<Decision> folder(Path folder, Circumstances where) {
        try (Stream<Path> below = Files.walk(folder)) {
            return below.limit(MAX_BELOW)
                    .flatMap(path -> file(path, true, where).stream())
                    .findFirst();
        } catch (IOException | UncheckedIOException e) {
            return deny("guardrails.protected_files", folder + " cannot be looked through");
        }
    }

    /** A program that nobody knows may read any file that it is given. */
    private Optional<Decision> word(CommandFacts facts) {
        for (SimpleCommand command : facts.reading().commands()) {
            for (Word word : command.words()) {
                Optional<String> sensitive = match(sensitiveFiles, plain(word.text()));
                if (sensitive.isPresent()) {
                    return deny(
                            "guardrails.sensitive_files",
                            word.text() + " matches " + sensitive.get());
                }
            }
        }
        return Optional.empty();
    }

    /** {@code --file=./a} is about {@code a}. */
    private static String plain(String word) {
        String value = word.startsWith("-") ? word.substring(word.indexOf('=') + 1) : word;
        return value.startsWith("./") ? value.substring(2) : value;
    }

    /** Whether one of the patterns means this path, relative to the workspace. */
    public static boolean isAmong(List<String> patterns, String path) {
        return match(patterns, path).isPresent();
    }

    private static Optional<String> match(List<String> patterns, List<String> names) {
        return names.stream().flatMap(name -> match(patterns, name).stream()).findFirst();
    }

    /** A pattern without a slash means the name in any folder. */
    private static Optional<String> match(List<String> patterns, String path) {
        String folded = CaseFold.of(path);
        String name = folded.substring(folded.lastIndexOf('/') + 1);
        for (String pattern : patterns) {
            String foldedPattern = CaseFold.of(pattern);
            String compared = pattern.contains("/") ? folded : name;
            if (Wildcard.matches(foldedPattern, compared, true)) {
                return Optional.of(pattern);
            }
        }
        return Optional.empty();
    }

    private static Optional<Decision> deny(String rule, String why) {
        return Optional.of(new Decision(Verdict.DENY, rule, rule + " forbids it: " + why));
    }
}
