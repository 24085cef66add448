package dev.agentloop.prompt;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Puts together what the model is told before its task. What stays the same while a session lasts
 * is the system prompt; the rest goes with each task, so that it changes nothing of what a provider
 * has cached.
 *
 * @param lasting injectors of the system prompt, in the order of their parts: none may depend on
 *     the time of day or on anything else that changes
 * @param passing injectors of what goes with a task
 */
public record PromptBuilder(List<ContextInjector> lasting, List<ContextInjector> passing) {
    public PromptBuilder {
        lasting = List.copyOf(lasting);
        passing = List.copyOf(passing);
    }

    /** The parts of the system prompt that have a text, in their order. */
    public List<PromptPart> systemParts() {
        return parts(lasting);
    }

    /** The parts that go with a task. */
    public List<PromptPart> taskParts() {
        return parts(passing);
    }

    /** The system prompt. */
    public String system() {
        return joined(systemParts());
    }

    /** What goes with a task; may be empty. */
    public String withTask() {
        return joined(taskParts());
    }

    private static List<PromptPart> parts(List<ContextInjector> injectors) {
        List<PromptPart> parts = new ArrayList<>();
        for (ContextInjector injector : injectors) {
            for (PromptPart part : injector.parts()) {
                String text = part.text().strip();
                if (!text.isEmpty()) {
                    parts.add(new PromptPart(part.name(), part.source(), text));
                }
            }
        }
        return parts;
    }

    private static String joined(List<PromptPart> parts) {
        return parts.stream().map(PromptPart::text).collect(Collectors.joining("\n\n"));
    }
}
