package dev.agentloop.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What commands have no business reading: keys, credentials, our own state. */
final class HiddenPaths {
    /** Below the home directory. */
    private static final List<String> SECRETS =
            List.of(
                    ".ssh",
                    ".aws",
                    ".azure",
                    ".kube",
                    ".gnupg",
                    ".password-store",
                    ".mozilla",
                    ".thunderbird",
                    ".netrc",
                    ".git-credentials",
                    ".docker/config.json",
                    ".vault-token",
                    ".pypirc",
                    ".npmrc",
                    ".cargo/credentials",
                    ".cargo/credentials.toml",
                    ".gem/credentials",
                    ".terraform.d/credentials.tfrc.json",
                    ".claude/.credentials.json",
                    ".codex/auth.json",
                    ".gemini/oauth_creds.json",
                    ".m2/settings.xml",
                    ".m2/settings-security.xml",
                    ".gradle/gradle.properties",
                    ".pgpass",
                    ".my.cnf",
                    ".composer/auth.json",
                    ".config/composer/auth.json",
                    ".config/containers/auth.json",
                    ".config/rclone",
                    ".config/op",
                    ".config/sops",
                    ".config/doctl",
                    ".config/BraveSoftware",
                    ".config/microsoft-edge",
                    ".cache/huggingface/token",
                    ".huggingface",
                    ".kaggle",
                    ".pulumi",
                    ".oci",
                    ".databrickscfg",
                    ".terraformrc",
                    ".yarnrc.yml",
                    ".sqlite_history",
                    ".local/share/fish/fish_history",
                    ".config/gcloud",
                    ".config/gh",
                    ".config/glab-cli",
                    ".config/hub",
                    ".config/git/credentials",
                    ".config/google-chrome",
                    ".config/chromium",
                    ".local/share/keyrings",
                    ".bash_history",
                    ".zsh_history",
                    ".python_history",
                    ".psql_history",
                    ".mysql_history",
                    ".node_repl_history");

    private HiddenPaths() {}

    /**
     * Those that exist, links followed. A folder that holds the workspace is none of them: the
     * person has chosen to work there.
     */
    static Set<Path> of(Boundaries boundaries) {
        List<Path> named = new ArrayList<>(boundaries.own());
        SECRETS.forEach(secret -> named.add(boundaries.home().resolve(secret)));
        String agentSocket = boundaries.environment().getOrDefault("SSH_AUTH_SOCK", "");
        String session = boundaries.environment().getOrDefault("XDG_RUNTIME_DIR", "");
        for (String path : List.of(agentSocket, session)) {
            if (path.startsWith("/")) {
                named.add(Path.of(path));
            }
        }
        Set<Path> hidden = new LinkedHashSet<>();
        for (Path path : named) {
            Path real = real(path);
            if (real != null && !boundaries.workspace().startsWith(real)) {
                hidden.add(real);
            }
        }
        return hidden;
    }

    static Path realOrSame(Path path) {
        Path real = real(path);
        return real == null ? path : real;
    }

    static @Nullable Path real(Path path) {
        try {
            return Files.exists(path) ? path.toRealPath() : null;
        } catch (IOException e) {
            return null;
        }
    }
}
