package dev.agentloop.sandbox.home;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Caches without which a tool does not work, and which commands cannot write in the home: these
 * tools get one of the run, unless the user has set one or the user's own may be written.
 *
 * <p>None of them can read one cache and write another. Go makes anew what it needs. What npm and
 * uv need they fetch again where there is a network; where there is none, the user's own is worth
 * more than what could be written, if anything is in it.
 */
public final class ToolCaches {
    private static final List<Cache> CACHES =
            List.of(
                    new Cache("GOCACHE", "go-build", ".cache/go-build", "trim.txt", true),
                    new Cache("npm_config_cache", "npm", ".npm", "_cacache", false),
                    new Cache("UV_CACHE_DIR", "uv", ".cache/uv", "CACHEDIR.TAG", false));

    private ToolCaches() {}

    /**
     * A tool whose cache in the home is read-only for commands, and the variable that moves it.
     *
     * @param usual below the home
     * @param mark what is in it once it is in use
     * @param replaceable whether the tool makes it anew without a network
     */
    private record Cache(
            String variable, String name, String usual, String mark, boolean replaceable) {}

    /**
     * Variables for commands.
     *
     * @param writable what commands may write
     * @param network whether they have a network
     * @param tmp their folder for temporary files, as they see it
     */
    public static Map<String, String> of(
            Path home,
            Map<String, String> environment,
            List<Path> writable,
            boolean network,
            Path tmp) {
        Map<String, String> variables = new HashMap<>();
        for (Cache cache : CACHES) {
            Path usual = home.resolve(cache.usual);
            boolean set = environment.keySet().stream().anyMatch(cache.variable::equalsIgnoreCase);
            boolean spare =
                    network || cache.replaceable || !Files.exists(usual.resolve(cache.mark));
            if (!set && spare && writable.stream().noneMatch(usual::startsWith)) {
                variables.put(cache.variable, tmp.resolve("caches/" + cache.name).toString());
            }
        }
        return variables;
    }
}
