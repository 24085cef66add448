package dev.agentloop.prompt;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Puts together what the model is told before its task: the cached parts are the system prompt, the
 * others go with the task, so that nothing of them changes what a provider has cached.
 *
 * @param injectors in the order of their parts
 */
public record PromptBuilder(List<ContextInjector> injectors) {
    public PromptBuilder {
        injectors = List.copyOf(injectors);
    }

    /** All parts that have a text, in their order. */
    public List<PromptPart> parts() {
        List<PromptPart> parts = new ArrayList<>();
        for (ContextInjector injector : injectors) {
            for (PromptPart part : injector.parts()) {
                String text = part.text().strip();
                if (!text.isEmpty()) {
                    parts.add(new PromptPart(part.name(), part.source(), text, part.cached()));
                }
            }
        }
        return parts;
    }

    /** The system prompt. */
    public String system() {
        return joined(true);
    }

    /** What goes with the task; may be empty. */
    public String withTask() {
        return joined(false);
    }

    private String joined(boolean cached) {
        return parts().stream()
                .filter(part -> part.cached() == cached)
                .map(PromptPart::text)
                .collect(Collectors.joining("\n\n"));
    }
}
