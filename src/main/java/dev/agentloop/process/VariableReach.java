package dev.agentloop.process;

/** Which variables of the environment commands get without being told to. */
public enum VariableReach {
    /** Those that programs need to find their tools and their language. */
    KNOWN,
    /** All but secrets: for somebody who wants no sandbox. */
    ALL
}
