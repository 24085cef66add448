package dev.agentloop.message;

/**
 * What the model asks a tool to do.
 *
 * @param id unique in the session; pairs the call with its result
 * @param name the tool's name as the model wrote it
 * @param arguments the arguments as the model wrote them: JSON text, not yet parsed or trusted
 */
public record ToolCall(String id, String name, String arguments) {}
