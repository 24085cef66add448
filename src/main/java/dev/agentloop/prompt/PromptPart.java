package dev.agentloop.prompt;

/**
 * One part of what the model is told before its task.
 *
 * @param name what it is, in a word or two
 * @param source where it is from, for people
 */
public record PromptPart(String name, String source, String text) {}
