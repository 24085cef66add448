package dev.agentloop.library.run;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** Version of this jar, for records. */
public final class LibraryVersion {
    private LibraryVersion() {}

    public static String text() {
        try (InputStream in = LibraryVersion.class.getResourceAsStream("/build.properties")) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }
}
