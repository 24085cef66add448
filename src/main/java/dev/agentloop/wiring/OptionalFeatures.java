package dev.agentloop.wiring;

import dev.agentloop.durable.gate.WaitTool;
import dev.agentloop.hook.HookBus;
import dev.agentloop.message.Message;
import dev.agentloop.profile.Roster;
import dev.agentloop.prompt.GuidanceReader;
import dev.agentloop.prompt.PromptPart;
import dev.agentloop.session.Waiting;
import dev.agentloop.skill.Skill;
import dev.agentloop.skill.SkillPlaces;
import dev.agentloop.skill.SkillSet;
import dev.agentloop.skill.SkillTool;
import dev.agentloop.tool.Tool;
import dev.agentloop.wiring.prompt.HandOver;
import dev.agentloop.wiring.prompt.Prompts;
import dev.agentloop.wiring.prompt.RunMemory;
import dev.agentloop.wiring.run.RunSetup;
import dev.agentloop.wiring.run.RunSurroundings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What a run has only where somebody wants it: skills where there are files of them, notes of
 * earlier runs where they are switched on, other agents where one may hand over, waits that outlive
 * the process. Else the model pays nothing and none of it is loaded.
 */
final class OptionalFeatures {
    private static final int MOST = 4_000; // characters of all descriptions
    private static final int LINE = 300; // of one

    private final Prompts prompts;
    private final Optional<SkillSet> skills;
    private final Optional<RunMemory> memory;
    private final Optional<HandOver> handOver;
    private final List<Tool<?>> waits;
    private final Function<List<Tool<?>>, Optional<Delegation>> delegating;
    private Optional<Delegation> delegation = Optional.empty();

    private OptionalFeatures(
            Prompts prompts,
            Optional<SkillSet> skills,
            Optional<RunMemory> memory,
            Optional<HandOver> handOver,
            List<Tool<?>> waits,
            Function<List<Tool<?>>, Optional<Delegation>> delegating) {
        this.prompts = prompts;
        this.delegating = delegating;
        this.skills = skills;
        this.memory = memory;
        this.handOver = handOver;
        this.waits = waits;
    }

    /**
     * Looks what there is.
     *
     * @param workspace real path
     */
    static OptionalFeatures of(
            RunSetup setup, RunSurroundings around, Path workspace, Prompts prompts) {
        return new OptionalFeatures(
                prompts,
                skills(setup, around, workspace),
                RunMemory.isWanted(setup, around)
                        ? Optional.of(RunMemory.of(setup, around, prompts))
                        : Optional.empty(),
                HandOver.of(setup),
                waits(around),
                shared -> delegation(setup, around, shared));
    }

    private static List<Tool<?>> waits(RunSurroundings around) {
        Optional<Waiting> waiting = around.journal().waiting();
        if (waiting.isEmpty()) {
            return List.of();
        }
        return List.of(new WaitTool(waiting.get(), around.processes().background()::running));
    }

    private static Optional<Delegation> delegation(
            RunSetup setup, RunSurroundings around, List<Tool<?>> shared) {
        return Delegation.isPossible(setup, around)
                ? Optional.of(new Delegation(setup, around, Delegation.Level.first(), shared))
                : Optional.empty();
    }

    private static Optional<SkillSet> skills(
            RunSetup setup, RunSurroundings around, Path workspace) {
        boolean believed = around.where().use().isTrusted() && setup.guidance().commit().isEmpty();
        Path root = setup.guidance().root();
        boolean any =
                Files.isDirectory(setup.guidance().user().resolve("skills"))
                        || believed && hasAny(root, workspace);
        if (setup.demo() || !any) {
            return Optional.empty();
        }
        SkillPlaces places =
                new SkillPlaces(
                        setup.guidance().user(),
                        believed
                                ? Optional.of(new SkillPlaces.Project(root, workspace))
                                : Optional.empty());
        return Optional.of(SkillSet.of(places));
    }

    /** Skills of its own, or guidance that may name some. */
    private static boolean hasAny(Path root, Path workspace) {
        if (Files.isDirectory(workspace.resolve(".agent").resolve("skills"))) {
            return true;
        }
        for (Path at = workspace; at != null && at.startsWith(root); at = at.getParent()) {
            for (String name : GuidanceReader.NAMES) {
                if (Files.exists(at.resolve(name))) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * The tools that go with it.
     *
     * @param foreign tools of others, which go after them
     */
    List<Tool<?>> tools(List<Tool<?>> foreign) {
        List<Tool<?>> tools = new ArrayList<>();
        if (skills.isPresent() && !skills.get().skills().isEmpty()) { // a lambda would load it
            tools.add(new SkillTool(skills.get()));
        }
        if (memory.isPresent()) {
            memory.get().tool().ifPresent(tools::add);
        }
        List<Tool<?>> shared = new ArrayList<>(tools);
        shared.addAll(foreign);
        delegation = delegating.apply(shared);
        delegation.map(Delegation::tool).ifPresent(tools::addFirst);
        handOver.map(HandOver::tool).ifPresent(tools::add);
        tools.addAll(waits);
        tools.addAll(foreign);
        return tools;
    }

    /** The agent that others can work for. */
    void leads(Delegation.Superior superior) {
        delegation.ifPresent(others -> others.leads(superior));
    }

    void listenTo(HookBus bus) {
        handOver.ifPresent(switching -> switching.listenTo(bus));
    }

    /**
     * Who makes another agent work when one hands over.
     *
     * @param change takes which one, and how
     */
    void onHandOver(Consumer<Roster.Wish> change) {
        handOver.ifPresent(switching -> switching.on(change));
    }

    /** A hand-over that an earlier run of the session had answered and not made. */
    void finishHandOver(List<Message> history) {
        handOver.ifPresent(switching -> switching.finishOpen(history));
    }

    /** Keeps what is to be kept of a run, however it has ended. */
    void keep() {
        memory.ifPresent(RunMemory::sync);
    }

    /** What the model is told for as long as a session lasts. */
    List<PromptPart> lasting() {
        List<PromptPart> parts = new ArrayList<>(names());
        memory.ifPresent(notes -> parts.addAll(notes.believed()));
        return parts;
    }

    /** What goes with the task that begins a session. */
    List<PromptPart> passing() {
        return memory.map(RunMemory::unconfirmed).orElse(List.of());
    }

    private List<PromptPart> names() {
        if (skills.isEmpty() || skills.get().skills().isEmpty()) {
            return List.of();
        }
        StringBuilder text = new StringBuilder(prompts.skills());
        int left = 0;
        for (Skill skill : skills.get().skills().values()) {
            String line = "\n- " + skill.name() + ": " + cut(skill.description());
            if (text.length() + line.length() > MOST) {
                left++;
            } else {
                text.append(line);
            }
        }
        if (left > 0) {
            text.append("\n[").append(left).append(" more]");
        }
        return List.of(new PromptPart("skills", "names and descriptions", text.toString()));
    }

    private static String cut(String description) {
        return description.length() <= LINE ? description : description.substring(0, LINE) + "…";
    }

    /** What people should know of it; may be empty. */
    String notice() {
        List<String> left = skills.isPresent() ? skills.get().leftOut() : List.of();
        String trouble = memory.isPresent() ? memory.get().trouble() : "";
        String skipped = left.isEmpty() ? "" : "Skills left out: " + String.join("; ", left);
        boolean both = !skipped.isEmpty() && !trouble.isEmpty();
        return skipped + (both ? "; " : "") + trouble;
    }
}
