package dev.agentloop.prompt;

/**
 * One part of what the model is told before its task.
 *
 * @param name what it is, in a word or two
 * @param source where it is from, for people
 * @param cached whether it belongs to the system prompt, which stays the same for the whole session
 *     so that the provider's cache of it holds; else it goes with the task
 */
public record PromptPart(String name, String source, String text, boolean cached) {}
