package dev.agentloop.config;

/** What is shown on stderr, from least to most. */
public enum LogLevel {
    ERROR,
    WARN,
    HUMAN,
    INFO,
    DEBUG
}
