package dev.agentloop.tool;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Names of files that usually hold secrets. */
public final class SecretNames {
    private static final Set<String> NAMES =
            Set.of(
                    ".netrc",
                    "_netrc",
                    ".npmrc",
                    ".pypirc",
                    ".pgpass",
                    ".htpasswd",
                    ".git-credentials",
                    ".dockercfg",
                    ".vault-token",
                    "kubeconfig",
                    "master.key");
    private static final Set<String> PERSONAL =
            Set.of(".netrc", "_netrc", ".pgpass", ".git-credentials", ".vault-token");
    private static final List<String> ENDS =
            List.of(".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk");
    private static final List<String> SAMPLES = // of what the real file looks like
            List.of("example", "sample", "template", "dist", "default", "defaults");

    private SecretNames() {}

    /**
     * Whether a file of this name looks like a secret.
     *
     * @param fileName the last component of a path
     */
    public static boolean matches(String fileName) {
        String name = folded(fileName);
        if (name.startsWith(".env")) {
            return isEnvironment(name);
        }
        boolean privateKey = name.startsWith("id_") && !name.contains(".");
        boolean credentials =
                name.contains("credentials") && !isSource(name) && !name.endsWith(".md");
        return NAMES.contains(name)
                || privateKey
                || credentials
                || ENDS.stream().anyMatch(name::endsWith);
    }

    /**
     * Whether it holds what a person or a server signs in with: no test and no build is lacking
     * anything without it.
     */
    public static boolean isForPeopleOnly(String fileName) {
        String name = folded(fileName);
        return name.startsWith(".env") && isEnvironment(name)
                || name.startsWith("id_") && !name.contains(".")
                || PERSONAL.contains(name);
    }

    /** As {@link #matches}, for a path with slashes. */
    public static boolean isNameOf(String path) {
        return matches(path.substring(path.lastIndexOf('/') + 1));
    }

    /** As {@link CaseFold} does it; a search asks about each file, and most names are ASCII. */
    private static String folded(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) > '~') {
                return CaseFold.of(name);
            }
        }
        return name.toLowerCase(Locale.ROOT);
    }

    /** {@code .env} and {@code .env.production}, but neither {@code .envrc} nor a sample. */
    private static boolean isEnvironment(String name) {
        String rest = name.substring(".env".length());
        return rest.isEmpty() || rest.startsWith(".") && SAMPLES.stream().noneMatch(rest::endsWith);
    }

    /** A program that deals with credentials holds none. */
    private static boolean isSource(String name) {
        return List.of(
                        ".java", ".kt", ".py", ".js", ".ts", ".tsx", ".go", ".rs", ".rb", ".c",
                        ".cs")
                .stream()
                .anyMatch(name::endsWith);
    }
}
