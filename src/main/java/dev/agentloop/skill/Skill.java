package dev.agentloop.skill;

import java.nio.file.Path;

/**
 * A folder with instructions for one kind of task.
 *
 * @param name as the model and rules call it
 * @param description one line that says when it is wanted
 * @param folder without links; holds {@code SKILL.md} and whatever that speaks of
 * @param source where it is from, for people: {@code user}, {@code project} or {@code AGENTS.md}
 */
public record Skill(String name, String description, Path folder, String source) {
    /** The file that makes a folder a skill. */
    public static final String FILE = "SKILL.md";
}
