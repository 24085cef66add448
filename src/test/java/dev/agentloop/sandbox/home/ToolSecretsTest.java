package dev.agentloop.sandbox.home;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolSecretsTest {
    private static final String KEY = "-----BEGIN PRIVATE KEY-----\nMIIE\n";

    @TempDir private Path home;

    @ParameterizedTest
    @CsvSource({
        "release.jks, x, true",
        "upload.keystore, x, true",
        "putty.ppk, x, true",
        "signing.pem, key, true",
        "signing-key.asc, key, true",
        "server.key, key, true",
        "debug.keystore, x, false", // builds of Android sign with it
        "truststore.jks, x, false",
        "cacerts.jks, x, false",
        "config.toml, X_TOKEN = { value = \"x\" }, true",
        "config.toml, [env.X_TOKEN] value = \"x\", true",
        "config.toml, DB_PWD = \"x\", true",
        "config.toml, secret_key_base = \"x\", true",
        "config.toml, PWD = \"/x\", false",
        "config.json, '[\"--token\", \"x\"]', true",
        "config.json, '[\"--token\", \"--y\"]', false",
        "nuget.config, <add key=\"ClearTextPassword\" value=\"x\" />, true",
        "profiles.clj, {:passphrase \"x\"}, true",
        "ca.pem, -----BEGIN CERTIFICATE-----, false",
    })
    void keysAmongWhatBuildsRead(String name, String text, boolean hidden) throws IOException {
        Path tool = Files.createDirectories(home.resolve(".gradle"));
        Path file = Files.writeString(tool.resolve(name), text.equals("key") ? KEY : text);

        assertEquals(hidden ? Set.of(file) : Set.of(), ToolSecrets.of(home, List.of(tool)));
    }
}
