package dev.agentloop.context;

import java.nio.file.Path;

/** Puts the system prompt together: the agent's instructions, then the place it works in. */
public final class PromptBuilder {
    private PromptBuilder() {}

    /**
     * The system prompt of a run.
     *
     * @param instructions of the agent
     * @param appended what the user adds to them; may be empty
     */
    public static String system(String instructions, String appended, Path workspace) {
        StringBuilder prompt = new StringBuilder(instructions.strip());
        if (!appended.isBlank()) {
            prompt.append("\n\n").append(appended.strip());
        }
        prompt.append("\n\nWorkspace: ").append(workspace);
        prompt.append("\nPlatform: ").append(System.getProperty("os.name"));
        String structure = ProjectStructure.of(workspace);
        if (!structure.isEmpty()) {
            prompt.append("\n\n## Project Structure\n").append(structure);
        }
        return prompt.toString();
    }
}
