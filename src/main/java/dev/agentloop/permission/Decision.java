package dev.agentloop.permission;

/**
 * A verdict and where it comes from.
 *
 * @param rule the rule or preset that decided, as the user would write it
 * @param reason one line for the model and the person
 */
public record Decision(Verdict verdict, String rule, String reason) {}
