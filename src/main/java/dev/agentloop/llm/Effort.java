package dev.agentloop.llm;

/** How much a model may think before it answers; each adapter says it in its protocol's words. */
public enum Effort {
    OFF,
    LOW,
    MEDIUM,
    HIGH,
    MAX
}
