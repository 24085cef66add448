package dev.agentloop.tool;

/**
 * What a model and a policy need to know of a tool.
 *
 * @param name snake_case, the name in the protocol
 * @param description prose for the model
 * @param parameters JSON schema of the arguments, as JSON text
 * @param effect a tool without one does not compile
 */
public record ToolSpec(String name, String description, String parameters, Effect effect) {}
