package dev.agentloop.config;

/**
 * Notes that are kept for later runs.
 *
 * @param enabled whether any are read or kept
 * @param maxBytes of each file
 */
public record MemoryConfig(boolean enabled, int maxBytes) {
    static MemoryConfig of(SettingsReader read) {
        return new MemoryConfig(read.flag("memory.enabled"), read.whole("memory.max_bytes"));
    }
}
