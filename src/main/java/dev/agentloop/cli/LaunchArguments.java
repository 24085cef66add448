package dev.agentloop.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;

/**
 * The words of the command line as the user typed them. Under a locale without UTF-8 Java loses
 * their bytes, so the bootstrap hands them over in hex: in a variable, or in a file of its own when
 * they are long.
 */
public final class LaunchArguments {
    private LaunchArguments() {}

    /** The bootstrap's words if it left any, else those of the process. */
    public static String[] of(String[] args, Map<String, String> environment) {
        String hex = environment.getOrDefault("AGENT_ARGV_HEX", "");
        if (!environment.containsKey("AGENT_ARGV_HEX")) {
            return args;
        }
        String[] words = (hex.startsWith("@") ? file(hex.substring(1)) : hex).split(",", -1);
        for (int i = 0; i < words.length; i++) {
            words[i] = new String(HexFormat.of().parseHex(words[i]), StandardCharsets.UTF_8);
        }
        return words;
    }

    private static String file(String name) {
        Path file = Path.of(name);
        try {
            String text = Files.readString(file).strip();
            Files.delete(file);
            return text;
        } catch (IOException e) {
            throw new IllegalStateException("the arguments cannot be read: " + e.getMessage(), e);
        }
    }
}
