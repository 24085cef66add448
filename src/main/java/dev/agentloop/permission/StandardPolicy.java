package dev.agentloop.permission;

import dev.agentloop.controlfile.ControlGroup;
import dev.agentloop.controlfile.ControlLinks;
import dev.agentloop.controlfile.ControlNames;
import dev.agentloop.shell.CommandFacts;
import dev.agentloop.shell.Danger;
import dev.agentloop.shell.ShellReading;
import dev.agentloop.shell.parse.SimpleCommand;
import dev.agentloop.shell.parse.Word;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.SecretNames;
import dev.agentloop.tool.SubjectKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds the rows of the default policy that a call falls under. Looks, but changes nothing. */
final class StandardPolicy {
    private static final String READING = "read_file";
    private static final int MAX_BELOW = 20_000; // names in a folder that is searched
    private static final String REMEMBERING = "remember";

    private final Circumstances where;

    StandardPolicy(Circumstances where) {
        this.where = where;
    }

    /** All of them; none for a call that neither reads nor changes anything. */
    List<PolicyReason> grounds(JudgedCall call) {
        List<PolicyReason> grounds = new ArrayList<>();
        if (call.kind() == SubjectKind.URL) {
            for (String url : call.ready().subjects()) {
                fetch(url, grounds);
            }
            return grounds;
        }
        if (call.tool().equals(REMEMBERING)) {
            grounds.add(new PolicyReason(PolicyRow.REMEMBER, call.ready().subject(), ""));
            return grounds;
        }
        if (call.kind() == SubjectKind.CALL) {
            grounds.add(new PolicyReason(PolicyRow.SERVER_TOOL, call.ready().subject(), ""));
            return grounds;
        }
        if (call.facts().isPresent()) {
            command(call, call.facts().get(), grounds);
            return grounds;
        }
        files(call, grounds);
        return grounds;
    }

    private void files(JudgedCall call, List<PolicyReason> grounds) {
        if (call.ready().spec().effect() == Effect.FILE && call.ready().paths().isEmpty()) {
            call.ready()
                    .subjects()
                    .forEach(one -> grounds.add(new PolicyReason(PolicyRow.WRITE, one, "")));
        }
        boolean writes = call.ready().spec().effect() != Effect.PURE;
        boolean reads =
                !writes
                        || call.tool().equals(READING)
                        || call.ready().tool().alsoDoes().contains(READING);
        List<Path> written = new ArrayList<>();
        for (String path : call.ready().paths()) {
            if (reads) {
                read(Path.of(path), grounds);
            }
            if (writes) {
                written.add(Path.of(path));
            }
        }
        write(written, grounds);
    }

    private void fetch(String url, List<PolicyReason> grounds) {
        if (!where.network()) {
            grounds.add(new PolicyReason(PolicyRow.FETCH, url, ""));
        }
    }

    private void read(Path path, List<PolicyReason> grounds) {
        String shown = shown(path);
        boolean inside = where.roots().hold(path);
        if (!inside && where.readable().stream().noneMatch(path::startsWith)) {
            grounds.add(new PolicyReason(PolicyRow.READ_OUTSIDE, shown, path.toString()));
        } else if (inside) {
            grounds.add(new PolicyReason(PolicyRow.READ, shown, ""));
        }
        if (looksSecret(path)) {
            grounds.add(new PolicyReason(PolicyRow.READ_SECRET, shown, shown));
        }
    }

    private void write(List<Path> paths, List<PolicyReason> grounds) {
        Map<Path, PolicyRow> controls = controls(paths);
        for (Path path : paths) {
            String shown = shown(path);
            if (!where.roots().hold(path)) {
                grounds.add(new PolicyReason(PolicyRow.WRITE_OUTSIDE, shown, path.toString()));
                continue;
            }
            PolicyRow row = controls.get(path);
            if (row != null) {
                grounds.add(new PolicyReason(row, shown, shown));
            } else if (isShared(path)) {
                grounds.add(new PolicyReason(PolicyRow.WRITE_SHARED, shown, shown));
            }
            grounds.add(new PolicyReason(PolicyRow.WRITE, shown, ""));
        }
    }

    /** Those of the paths that are control files, by their name or by a link that leads there. */
    private Map<Path, PolicyRow> controls(Collection<Path> paths) {
        Map<Path, PolicyRow> controls = new HashMap<>();
        List<ControlLinks> links = new ArrayList<>(); // of all roots, found when it is needed
        for (Path path : paths) {
            Path root = where.roots().around(path);
            if (isOwn(path)) {
                controls.put(path, PolicyRow.WRITE_OWN);
            } else if (path.startsWith(root) && !path.equals(root)) {
                Optional<ControlGroup> group = ControlNames.groupOf(root.relativize(path));
                if (group.filter(one -> one == ControlGroup.OWN).isEmpty()) {
                    if (links.isEmpty()) {
                        where.roots()
                                .all()
                                .forEach(one ->
                                        links.add(new ControlLinks(where.roots().from(one))));
                    }
                    for (ControlLinks of : links) {
                        group = ControlGroup.stricter(group, of.groupOf(path));
                    }
                }
                group.ifPresent(one -> controls.put(path, row(one)));
            }
        }
        return controls;
    }

    private static PolicyRow row(ControlGroup group) {
        return switch (group) {
            case OWN -> PolicyRow.WRITE_OWN;
            case PIPELINES -> PolicyRow.WRITE_PIPELINE;
            case AGENTS, EDITORS, HOOKS, ENVIRONMENTS, WRAPPERS, PACKAGES, SHELLS ->
                    PolicyRow.WRITE_CONTROL;
        };
    }

    private void command(JudgedCall call, CommandFacts facts, List<PolicyReason> grounds) {
        String command = call.ready().subject();
        if (facts.reading() instanceof ShellReading.TooComplex(String reason)) {
            grounds.add(new PolicyReason(PolicyRow.TOO_COMPLEX, command, reason));
        }
        for (Danger danger : facts.dangers()) {
            grounds.add(new PolicyReason(row(), command, describe(danger)));
        }
        for (String publishing : facts.publishes()) {
            grounds.add(new PolicyReason(PolicyRow.PUBLISH, command, publishing));
        }
        for (Path path : facts.reads()) {
            if (looksSecret(path)) {
                grounds.add(new PolicyReason(PolicyRow.READ_SECRET, command, shown(path)));
            }
        }
        Map<Path, PolicyRow> controls = controls(facts.writes());
        for (Path path : facts.writes()) {
            PolicyRow row = controls.get(path);
            if (row != null) {
                grounds.add(new PolicyReason(row, command, shown(path)));
            }
        }
        grounds.add(plain(call, facts, command));
    }

    private PolicyRow row() {
        return where.destroy() && where.use() == Supervision.TRUSTED_UNATTENDED
                ? PolicyRow.COMMAND
                : PolicyRow.DESTRUCTIVE;
    }

    private PolicyReason plain(JudgedCall call, CommandFacts facts, String command) {
        return switch (where.commands().get()) {
            case CONFINED ->
                    call.ready().wantsNetwork() && !where.network()
                            ? new PolicyReason(PolicyRow.COMMAND_WITH_NETWORK, command, "")
                            : new PolicyReason(PolicyRow.COMMAND, command, "");
            case UNCONFINED -> unconfined(call, PolicyRow.COMMAND_UNCONFINED, facts);
            case OFF_BY_WORD -> unconfined(call, PolicyRow.COMMAND_UNCONFINED_BY_WORD, facts);
        };
    }

    private PolicyReason unconfined(JudgedCall call, PolicyRow row, CommandFacts facts) {
        String command = call.ready().subject();
        boolean reads = where.use().isTrusted() ? facts.readOnlyIfTrusted() : facts.readOnly();
        if (reads
                && facts.outside().isEmpty()
                && isPlainlyInside(call, facts)
                && facts.searched().stream().allMatch(this::holdsNoSecret)) {
            return new PolicyReason(PolicyRow.COMMAND_READING, command, "");
        }
        if (facts.outside().isEmpty()) {
            return new PolicyReason(row, command, "");
        }
        List<String> outside = facts.outside().stream().map(Path::toString).toList();
        return new PolicyReason(row, command, "it names " + String.join(", ", outside));
    }

    /**
     * Whether all words stay in the workspace as far as can be seen, from each folder that the line
     * may have gone to: without a sandbox nothing else holds a program there. Git is asked only
     * where its repository is the workspace's own.
     */
    private boolean isPlainlyInside(JudgedCall call, CommandFacts facts) {
        if (!facts.reads().stream().allMatch(where.roots()::hold)) {
            return false;
        }
        for (SimpleCommand command : facts.reading().commands()) {
            boolean git = command.program().equals("git");
            if (git
                    && (!command.folders().equals(Set.of(where.root()))
                            || !call.ready().folder(where.root()).equals(where.root())
                            || !Files.isDirectory(where.root().resolve(".git")))) {
                return false;
            }
            List<Word> words = command.words().subList(1, command.words().size());
            boolean goesHome =
                    command.program().equals("cd")
                            && words.stream().allMatch(word -> word.text().startsWith("-"));
            if (goesHome
                    || !command.folders().stream().allMatch(this::leadsInside)
                    || !words.stream().allMatch(word -> isPlainlyInside(command, word))) {
                return false;
            }
        }
        return true;
    }

    private boolean leadsInside(Path path) {
        try {
            return !Files.exists(path) || where.roots().hold(path.toRealPath());
        } catch (IOException e) {
            return false;
        }
    }

    private boolean isPlainlyInside(SimpleCommand command, Word word) {
        String text = word.text();
        boolean option = text.startsWith("-");
        boolean follows =
                text.startsWith("--follow")
                        || text.startsWith("--deref")
                        || option && !text.startsWith("--") && text.matches(".*[RL].*");
        boolean leads = text.startsWith("/") || text.startsWith("~") || text.contains("..");
        if (!word.isLiteral() || follows || leads || option && text.contains("/")) {
            return false;
        }
        try {
            return command.folders().stream().allMatch(folder -> leadsInside(folder.resolve(text)));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /**
     * Whether a program that looks into the folder would find neither a secret nor a way out of the
     * workspace there; false where that takes too long to see.
     */
    private boolean holdsNoSecret(Path folder) {
        if (!Files.isDirectory(folder)) {
            return true;
        }
        try (Stream<Path> below = Files.walk(folder)) {
            Iterator<Path> paths = below.iterator();
            for (int count = 0; paths.hasNext(); count++) {
                Path path = paths.next();
                boolean link = Files.isSymbolicLink(path);
                boolean secret = looksSecret(path) || link && looksSecret(path.toRealPath());
                boolean out = link && !where.roots().hold(path.toRealPath());
                if (secret || out || count > MAX_BELOW) {
                    return false;
                }
            }
            return true;
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    private static String describe(Danger danger) {
        List<String> targets = danger.targets().stream().map(Path::toString).toList();
        return targets.isEmpty()
                ? danger.what()
                : danger.what() + ": " + String.join(", ", targets);
    }

    private boolean looksSecret(Path path) {
        Path name = path.getFileName();
        return name != null && SecretNames.matches(name.toString()) && !Files.isDirectory(path);
    }

    private boolean isOwn(Path path) {
        return where.own().stream().anyMatch(path::startsWith);
    }

    /** A change would show under its other name, too, which may be anywhere. */
    private static boolean isShared(Path path) {
        try {
            return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                    && Files.getAttribute(path, "unix:nlink", LinkOption.NOFOLLOW_LINKS)
                            instanceof Integer links
                    && links > 1;
        } catch (IOException | UnsupportedOperationException e) {
            return false; // gone meanwhile, or a file system without such names
        }
    }

    private String shown(Path path) {
        return JudgedCall.shown(where.root(), path);
    }
}
