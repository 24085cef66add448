package dev.agentloop.wiring.prompt;

import dev.agentloop.hook.Hook;
import dev.agentloop.hook.HookBus;
import dev.agentloop.hook.HookEvent;
import dev.agentloop.hook.HookOutcome;
import dev.agentloop.hook.HookPoint;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.permission.PermissionPolicy;
import dev.agentloop.permission.Supervision;
import dev.agentloop.permission.Verdict;
import dev.agentloop.prompt.GuidanceFile;
import dev.agentloop.prompt.GuidanceReader;
import dev.agentloop.prompt.GuidanceSource;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.Workspace;
import dev.agentloop.wiring.run.GuidancePlaces;
import dev.agentloop.wiring.run.RunSetup;
import dev.agentloop.wiring.run.RunSurroundings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What files say to agents, as far as this run may believe them: that of the user and of the
 * project's folders down to the workspace when it begins, that of deeper folders when a tool first
 * reads or changes a file in them.
 */
public final class Guidance implements Hook {
    private static final String NAME = "project guidance";
    private static final int MOST = 4000; // characters below a result, which is cut at twice that

    private final RunSetup setup;
    private final Workspace workspace;
    private final Supervision use;
    private final Prompts prompts;
    private final GuidanceReader reader = new GuidanceReader();
    private final GuidanceReader.Tree user;
    private final GuidanceReader.Tree project;
    private List<GuidanceFile> ofUser = List.of();
    private List<GuidanceFile> ofProject = List.of();
    private GuidanceReader.Mark begin = new GuidanceReader.Mark(Set.of(), 0);
    private boolean begun;

    /**
     * @param policy what is decided about a call: only what the model could read without a question
     *     is imported
     */
    public Guidance(
            RunSetup setup,
            RunSurroundings around,
            Workspace workspace,
            Prompts prompts,
            Function<ToolCall, Optional<PermissionPolicy.Explanation>> policy) {
        this.setup = setup;
        this.workspace = workspace;
        this.use = around.where().use();
        this.prompts = prompts;
        GuidancePlaces places = setup.guidance();
        GuidanceSource ofCommit =
                places.commit()
                        .map(commit -> commit.through(around.processes(), around.interrupts()))
                        .map(commit -> GuidanceSource.commit(commit, places.root()))
                        .orElseGet(() -> GuidanceSource.folder(places.root()));
        boolean always = places.commit().isPresent(); // what the workspace has there says nothing
        this.project =
                new GuidanceReader.Tree(
                        ofCommit, places.root(), "", file -> always || isReadable(file, policy));
        this.user =
                new GuidanceReader.Tree(
                        GuidanceSource.folder(places.user()),
                        places.user(),
                        "(your configuration)/",
                        file -> file.toString().endsWith(".md"));
    }

    private static boolean isReadable(
            Path file, Function<ToolCall, Optional<PermissionPolicy.Explanation>> policy) {
        String arguments = "{\"file_path\":" + Json.quote(file.toString()) + "}";
        return policy.apply(new ToolCall("import", "read_file", arguments))
                .map(known -> known.decision().verdict() == Verdict.ALLOW)
                .orElse(false);
    }

    /** Reads what is there now; nothing else is told before. */
    public void begin() {
        if (begun || setup.demo()) {
            return;
        }
        begun = true;
        ofUser = reader.downTo(user, user.root());
        ofProject = isRead() ? reader.downTo(project, workspace.root()) : List.of();
        begin = reader.mark();
    }

    /** For the system prompt; empty if nothing there is believed. */
    public List<GuidanceFile> believed() {
        List<GuidanceFile> files = new ArrayList<>(ofUser);
        if (isBelieved()) {
            files.addAll(ofProject);
        }
        return files;
    }

    /** The project's words where a person is there but does not trust it; may be empty. */
    public String quoted() {
        return isBelieved() ? "" : text(prompts.quoted(), ofProject);
    }

    private static String text(String above, List<GuidanceFile> files) {
        return files.isEmpty()
                ? ""
                : files.stream()
                        .map(GuidanceFile::fenced)
                        .collect(Collectors.joining("\n\n", above + "\n\n", ""));
    }

    /** One line about what was left out or not believed; empty if all is as one would expect. */
    public String notice() {
        List<String> left = reader.takeLeftOut();
        boolean quoted = !isBelieved() && !ofProject.isEmpty();
        String read = names(believed());
        if (left.isEmpty() && !quoted) {
            return "";
        }
        List<String> parts = new ArrayList<>();
        if (!read.isEmpty()) {
            parts.add("read: " + read);
        }
        if (quoted) {
            parts.add("only quoted, the workspace is not trusted: " + names(ofProject));
        }
        if (!left.isEmpty()) {
            parts.add("left out: " + String.join(", ", left));
        }
        return "Guidance for the model, " + String.join("; ", parts);
    }

    private static String names(List<GuidanceFile> files) {
        return files.stream().map(GuidanceFile::name).collect(Collectors.joining(", "));
    }

    private boolean isBelieved() {
        return use.isTrusted() || setup.guidance().commit().isPresent();
    }

    /** A person sees what is quoted; a job of CI would only be told it by whoever changed it. */
    private boolean isRead() {
        return isBelieved() || use.isAttended();
    }

    public void listenTo(HookBus bus) {
        if (!setup.demo() && isRead()) {
            bus.deciding(NAME, Set.of(HookPoint.POST_TOOL, HookPoint.COMPACTION), this);
        }
    }

    /**
     * After a call: the guidance of folders that it is the first to touch. After a compaction,
     * which may have removed it, the first one after that.
     */
    @Override
    public HookOutcome on(HookEvent event) {
        if (begun && event instanceof HookEvent.Compacted) {
            reader.goBackTo(begin);
        }
        if (!begun || !(event instanceof HookEvent.ToolEnded(ToolCall call, ToolResult result))) {
            return HookOutcome.goOn();
        }
        List<GuidanceFile> files = new ArrayList<>();
        if (!result.isError()) {
            for (String path : touched(call, result)) {
                files.addAll(reader.downTo(project, folder(path)));
            }
        }
        List<String> left = reader.takeLeftOut();
        String text = text(isBelieved() ? prompts.guidance() : prompts.quoted(), cut(files));
        String note = left.isEmpty() ? "" : "\n[not read or cut: " + left.size() + " files]";
        return new HookOutcome.Continue((text + note).strip());
    }

    private static List<GuidanceFile> cut(List<GuidanceFile> files) {
        List<GuidanceFile> cut = new ArrayList<>();
        int room = MOST;
        for (GuidanceFile file : files) {
            cut.add(file.upTo(Math.max(0, room)));
            room -= file.text().length();
        }
        return cut;
    }

    private static Set<String> touched(ToolCall call, ToolResult result) {
        Set<String> paths = new LinkedHashSet<>();
        try {
            String named = Json.parse(call.arguments()).at("file_path").textOr("");
            if (!named.isEmpty()) {
                paths.add(named);
            }
        } catch (JsonException e) {
            // a call that ran has arguments; without them no file is known
        }
        result.changes().stream().map(FileChange::path).forEach(paths::add);
        return paths;
    }

    /** By where a path leads; the root, which is known already, if it cannot be told. */
    private Path folder(String path) {
        try {
            Path file = workspace.resolve(path);
            Path parent = file.getParent();
            boolean added = workspace.roots().isAdded(file); // nothing of that is believed
            return parent == null || added ? workspace.root() : parent;
        } catch (ToolException e) {
            return workspace.root();
        }
    }
}
