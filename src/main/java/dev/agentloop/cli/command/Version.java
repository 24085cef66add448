package dev.agentloop.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** Version and build of this program, from the jar. */
public final class Version {
    private Version() {}

    /** For example {@code 0.1.0}. */
    public static String text() {
        return property("version");
    }

    public static String build() {
        return property("build.id");
    }

    private static String property(String name) {
        try (InputStream in = Version.class.getResourceAsStream("/build.properties")) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty(name, "unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }
}
