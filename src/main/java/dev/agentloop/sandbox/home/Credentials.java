package dev.agentloop.sandbox.home;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Where programs keep keys, tokens, passwords and what a person has typed. Most of them are out of
 * sight with the home directory; the list counts for folders that builds read and for a home that
 * is the workspace.
 */
final class Credentials {
    /** Below the home directory. */
    private static final List<String> IN_HOME = NameFile.CREDENTIALS.section("home");

    /** Below {@code .cache}, {@code .config} and {@code .local/share}, which variables can move. */
    static final Map<String, String> MOVED =
            Map.of(
                    ".config/", "XDG_CONFIG_HOME",
                    ".cache/", "XDG_CACHE_HOME",
                    ".local/share/", "XDG_DATA_HOME",
                    ".local/state/", "XDG_STATE_HOME",
                    ".cargo/", "CARGO_HOME",
                    ".gradle/", "GRADLE_USER_HOME",
                    ".nuget/", "NUGET_HOME",
                    ".cache/huggingface/", "HF_HOME");

    /** Variables that name a file or folder with credentials; some name several. */
    private static final List<String> VARIABLES = NameFile.CREDENTIALS.section("variables");

    /** Of the machine; most can be read by root only. */
    private static final List<String> OF_MACHINE = NameFile.CREDENTIALS.section("machine");

    private static final Path HOST_KEYS = Path.of("/etc/ssh");

    private Credentials() {}

    /** Places that may exist; nothing is looked at but the folder of this machine's ssh keys. */
    static List<Path> of(Path home, Map<String, String> environment) {
        List<Path> named = new ArrayList<>();
        addBelow(home, "", named);
        MOVED.forEach((prefix, variable) -> {
            String folder = environment.getOrDefault(variable, "");
            if (folder.startsWith("/") && !Path.of(folder).equals(home.resolve(prefix))) {
                addBelow(Path.of(folder), prefix, named);
            }
        });
        for (String variable : VARIABLES) {
            for (String part : environment.getOrDefault(variable, "").split(":")) {
                if (part.startsWith("/")) {
                    named.add(Path.of(part));
                }
            }
        }
        for (String name : OF_MACHINE) {
            named.add(Path.of(name));
        }
        addHostKeys(named);
        return named;
    }

    private static void addBelow(Path folder, String prefix, List<Path> named) {
        Listing listing = new Listing(folder);
        for (String name : IN_HOME) {
            if (name.startsWith(prefix) && listing.has(name.substring(prefix.length()))) {
                named.add(folder.resolve(name.substring(prefix.length())));
            }
        }
    }

    private static void addHostKeys(List<Path> named) {
        try (DirectoryStream<Path> keys = Files.newDirectoryStream(HOST_KEYS, "ssh_host_*key")) {
            keys.forEach(named::add);
        } catch (IOException e) {
            return; // there is no such folder
        }
    }
}
