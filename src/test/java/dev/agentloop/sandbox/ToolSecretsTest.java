package dev.agentloop.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.sandbox.watch.Boundaries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What package managers have of keys and tokens among what builds need. */
@Timeout(120)
class ToolSecretsTest {
    private static final String URL = "[remote \"origin\"]\n url = https://bob:mark@h/x\n";

    /** Each holds a credential, or something a person has typed or read: the word mark. */
    private static final Map<String, String> SECRET =
            new TreeMap<>(
                    Map.ofEntries(
                            Map.entry(".yarnrc", "\"//r/:_authToken\" npm_mark\n"),
                            Map.entry(".nvm/.npmrc", "//r/:_authToken=mark\n"),
                            Map.entry(".nvm/versions/node/v1/etc/npmrc", "//r/:_authToken=mark\n"),
                            Map.entry(".local/share/pnpm/.npmrc", "//r/:_authToken=mark\n"),
                            Map.entry(".m2/.develocity/keys.properties", "h=mark\n"),
                            Map.entry(".m2/.gradle-enterprise/keys.properties", "h=mark\n"),
                            Map.entry(".m2/settings.xml.bak", "<password>mark</password>\n"),
                            Map.entry(".m2/settings.xml~", "mark\n"),
                            Map.entry(".cargo/credentials.toml.old", "token=\"mark\"\n"),
                            Map.entry(".sbt/gpg/secring.asc", "mark\n"),
                            Map.entry(
                                    ".sbt/1.0/sonatype.sbt",
                                    "credentials += Credentials(\"x\",\"h\",\"u\",\"mark\")\n"),
                            Map.entry(
                                    ".sbt/1.0/plugins/credentials.sbt",
                                    "val password = \"mark\"\n"),
                            Map.entry(".ivy2/credentials", "password=mark\n"),
                            Map.entry(".ivy2/credentials.sonatype", "password=mark\n"),
                            Map.entry(".luarocks/upload_config.lua", "key = \"mark\"\n"),
                            Map.entry(".wasmer/wasmer.toml", "[registry]\ntoken=\"mark\"\n"),
                            Map.entry(
                                    ".platformio/appstate.json",
                                    "{\"account\":{\"auth\":{\"refresh_token\":\"mark\"}}}"),
                            Map.entry(".dotnet/corefx/cryptography/x509stores/my/a.pfx", "mark"),
                            Map.entry(
                                    ".cache/google-vscode-extension/auth/a.json",
                                    "{\"refresh_token\":\"mark\"}"),
                            Map.entry(
                                    ".config/uv/uv.toml", "url = \"https://bob:mark@h/simple\"\n"),
                            Map.entry(".config/go/env", "GOPROXY=https://bob:mark@h\n"),
                            Map.entry(".rye/config.toml", "password=\"mark\"\n"),
                            Map.entry(".stack/config.yaml", "hackage-password: mark\n"),
                            Map.entry("miniconda3/.condarc", "channels: [https://c/t/tk-mark/x]\n"),
                            Map.entry(".cpan/CPAN/MyConfig.pm", "proxy_pass => 'mark'\n"),
                            Map.entry(".gradle/init.gradle", "credentials { password \"mark\" }\n"),
                            Map.entry("go/pkg/mod/cache/vcs/x/config", URL),
                            Map.entry(".cargo/git/db/x/config", URL),
                            Map.entry(".cache/pre-commit/r/.git/config", URL),
                            Map.entry(".pyenv/.git/config", URL),
                            Map.entry(".cache/zsh/history", "curl -u bob:mark\n"),
                            Map.entry(".cache/cliphist/db", "mark"),
                            Map.entry(".cache/greenclip.history", "mark"),
                            Map.entry(".cache/some-shell/history", "mark"),
                            Map.entry(".cache/evolution/mail/x", "mark")));

    /** What builds read, with words that only look like a credential's. */
    private static final Map<String, String> PLAIN =
            new TreeMap<>(
                    Map.ofEntries(
                            Map.entry(".nvm/nvm.sh", "export password=mark\n"),
                            Map.entry(".nvm/versions/node/v2/etc/npmrc", "prefix=mark\n"),
                            Map.entry(".m2/toolchains.xml", "<version>mark</version>\n"),
                            Map.entry(
                                    ".m2/repository/org/token/1/token-1.pom",
                                    "<token>mark</token>"),
                            Map.entry(".sbt/1.0/global.sbt", "maxErrors := 3 // mark\n"),
                            Map.entry(".sbt/repositories", "[repositories]\nlocal mark\n"),
                            Map.entry(".cargo/.crates.toml", "\"token-tool 1 (mark)\" = []\n"),
                            Map.entry(".cargo/env", "export PATH=mark\n"),
                            Map.entry(".rustup/settings.toml", "version = \"mark\"\n"),
                            Map.entry(".config/uv/uv.toml.d", "mark\n"),
                            Map.entry(".stack/global-project/stack.yaml", "resolver: mark\n"),
                            Map.entry(
                                    "go/pkg/mod/cache/vcs/y/config",
                                    "[remote]\nurl=https://h/mark\n"),
                            Map.entry(".cache/pip/http/x", "token=mark\n"),
                            Map.entry(".cache/ms-playwright/chromium-1/chrome", "mark"),
                            Map.entry(".android/debug.keystore", "mark"),
                            Map.entry(".npm/_cacache/index", "mark")));

    @TempDir(factory = OutsideTmp.class)
    private Path folder;

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void toolsKeepTheirCachesAndNoCredentials(Tier tier) throws IOException {
        Path home = Files.createDirectories(folder.resolve("home")).toRealPath();
        for (Map<String, String> files : List.of(SECRET, PLAIN)) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                Path path = home.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                Files.writeString(path, file.getValue());
            }
        }

        String seen = out(tier, home, "cd ~; grep -rls mark . | cut -c3- | LC_ALL=C sort");
        assertEquals(String.join("\n", PLAIN.keySet()), seen);
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void aTokenThatComesLaterIsHiddenFromTheNextCommand(Tier tier) throws IOException {
        Path home = Files.createDirectories(folder.resolve("home")).toRealPath();
        Path file = Files.createDirectories(home.resolve(".rye")).resolve("config.toml");
        Files.writeString(file, "name = \"markmarkmark\"\n");
        assertEquals("name = \"markmarkmark\"", out(tier, home, "cat ~/.rye/config.toml"));

        Files.writeString(file, "token= \"markmarkmar\"\n"); // as long as before
        assertEquals("", out(tier, home, "cat ~/.rye/config.toml 2>/dev/null"));
    }

    private String out(Tier tier, Path home, String command) throws IOException {
        Path workspace = Files.createDirectories(folder.resolve("ws")).toRealPath();
        Map<String, String> environment =
                new HashMap<>(Map.of("PATH", System.getenv("PATH"), "HOME", home.toString()));
        Boundaries boundaries =
                new Boundaries(workspace, home, List.of(), List.of(), environment, false);
        SandboxProbe probe = new SandboxProbe(folder.resolve("found"), boundaries);
        SandboxProbe.Found found = tier == Tier.BWRAP ? probe.bwrap() : probe.landlock();
        assumeTrue(found.tier() == tier, found.trouble());
        Sandbox sandbox = found.within(boundaries);
        ProcessRunner runner = new ProcessRunner(environment, List.of(), () -> sandbox);
        try {
            return runner.run(
                            CommandRequest.shell(command, workspace, Duration.ofSeconds(60)),
                            new Cancellation())
                    .stdout()
                    .text()
                    .strip();
        } finally {
            runner.killAll();
        }
    }
}
