package dev.agentloop.wiring.prompt;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.AgentProfile;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.memory.Memory;
import dev.agentloop.memory.Memory.About;
import dev.agentloop.memory.RememberTool;
import dev.agentloop.permission.Supervision;
import dev.agentloop.prompt.PromptPart;
import dev.agentloop.tool.Tool;
import dev.agentloop.wiring.run.RunSetup;
import dev.agentloop.wiring.run.RunSurroundings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The notes of earlier runs as this run may take them: those of a trusted workspace and those about
 * the user are told as data, those that nobody confirmed are quoted where a person is there.
 */
public final class RunMemory {
    private static final String SHARED = "shared";
    private static final String OWN = "own";
    private static final String OFF = "off";

    private final RunSurroundings around;
    private final Prompts prompts;
    private final Memory memory;
    private final boolean keeps;
    private final List<String> troubles = new ArrayList<>();

    private RunMemory(RunSurroundings around, Prompts prompts, Memory memory, boolean keeps) {
        this.around = around;
        this.prompts = prompts;
        this.memory = memory;
        this.keeps = keeps;
    }

    /** Whether there is any for this run: never where nobody is there and nothing is trusted. */
    public static boolean isWanted(RunSetup setup, RunSurroundings around) {
        AgentConfig config = setup.config();
        return config.memory().enabled()
                && !setup.demo()
                && around.where().use() != Supervision.UNATTENDED
                && !scope(config, setup.agent()).equals(OFF);
    }

    private static String scope(AgentConfig config, String agent) {
        return config.agent(agent).flatMap(AgentProfile::memory).orElse(SHARED);
    }

    /** A run that leaves no session, or changes nothing, keeps no notes either. */
    public static RunMemory of(RunSetup setup, RunSurroundings around, Prompts prompts) {
        AgentConfig config = setup.config();
        Path folder = setup.guidance().state().resolve("memory");
        if (scope(config, setup.agent()).equals(OWN)) {
            folder = folder.resolve("agents").resolve(setup.agent());
        }
        Memory memory = new Memory(folder, setup.guidance().root(), config.memory().maxBytes());
        boolean keeps = !setup.dryRun() && !around.journal().sessionId().isEmpty();
        return new RunMemory(around, prompts, memory, keeps);
    }

    public Optional<Tool<?>> tool() {
        return keeps
                ? Optional.of(
                        new RememberTool(
                                memory, around.where().use().isTrusted(), around.secrets()::mask))
                : Optional.empty();
    }

    /** Notes that a person has not to be afraid of. */
    public List<PromptPart> believed() {
        List<About> abouts = new ArrayList<>(List.of(About.USER));
        if (around.where().use().isTrusted()) {
            abouts.add(About.WORKSPACE);
        }
        StringBuilder text = new StringBuilder();
        for (About about : abouts) {
            text.append(fenced(about));
        }
        return part(prompts.memory(), text);
    }

    /** Notes that may be somebody else's words. */
    public List<PromptPart> unconfirmed() {
        return part(prompts.unconfirmed(), new StringBuilder(fenced(About.UNCONFIRMED)));
    }

    private static List<PromptPart> part(String above, StringBuilder text) {
        return text.isEmpty()
                ? List.of()
                : List.of(new PromptPart("memory", "notes of earlier runs", above + text));
    }

    private String fenced(About about) {
        try {
            String notes = cut(memory.notes(about).text().strip());
            return notes.isEmpty()
                    ? ""
                    : "\n<memory about=\"" + about.word() + "\">\n" + notes + "\n</memory>";
        } catch (IOException e) {
            String trouble = memory.path(about) + " is not read: " + e.getMessage();
            if (!troubles.contains(trouble)) {
                troubles.add(trouble);
            }
            return "";
        }
    }

    /** A person may have written more than the model is to pay for, or the end of the fence. */
    private String cut(String notes) {
        String safe = notes.replace("</", "<\\/");
        return safe.length() <= memory.maxBytes()
                ? safe
                : safe.substring(0, memory.maxBytes()) + "\n[cut here: memory.max_bytes]";
    }

    /** Why notes were not read; empty if all is well. */
    public String trouble() {
        believed();
        return String.join("; ", troubles);
    }

    /** Makes the changes that the run wants, also if it was cut. */
    public void sync() {
        for (String failure : memory.sync()) {
            around.events().emit(new AgentEvent.Warning("a note was not kept: " + failure));
        }
    }
}
