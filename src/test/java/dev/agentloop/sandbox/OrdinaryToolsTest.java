package dev.agentloop.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.CommandOutcome;
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
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What people work with every day does its work in the sandbox, with their own home around it. */
@Timeout(300)
class OrdinaryToolsTest {
    private static final Duration LONG = Duration.ofSeconds(120);

    @TempDir(factory = OutsideTmp.class)
    private Path folder;

    private static Sandbox sandbox(Tier tier, Path workspace) {
        Boundaries boundaries =
                new Boundaries(
                        workspace,
                        Path.of(System.getProperty("user.home")),
                        List.of(),
                        List.of(),
                        System.getenv(),
                        false);
        SandboxProbe probe = new SandboxProbe(workspace.resolveSibling("found"), boundaries);
        SandboxProbe.Found found = tier == Tier.BWRAP ? probe.bwrap() : probe.landlock();
        assumeTrue(found.tier() == tier, found.trouble());
        return found.within(boundaries);
    }

    /** Without a word of the sandbox about it; the output of the command. */
    private static String quietly(Tier tier, Path workspace, String command) throws IOException {
        CommandOutcome outcome = run(tier, workspace, command);
        String all = outcome.stdout().text() + outcome.stderr().text();
        assertEquals(0, outcome.exitCode(), all + outcome.notes());
        assertEquals(List.of(), outcome.notes(), all);
        return outcome.stdout().text().strip();
    }

    private static CommandOutcome run(Tier tier, Path workspace, String command)
            throws IOException {
        Sandbox sandbox = sandbox(tier, workspace);
        Map<String, String> environment = new HashMap<>(System.getenv());
        ProcessRunner runner = new ProcessRunner(environment, List.of(), () -> sandbox);
        try {
            return runner.run(CommandRequest.shell(command, workspace, LONG), new Cancellation());
        } finally {
            runner.killAll();
        }
    }

    private Path workspace(Map<String, String> files) throws IOException {
        Path workspace = Files.createDirectories(folder.resolve("ws")).toRealPath();
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = workspace.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        return workspace;
    }

    private static void needs(String program) {
        for (String place : System.getenv().getOrDefault("PATH", "").split(":")) {
            if (place.startsWith("/") && Files.isExecutable(Path.of(place, program))) {
                return;
            }
        }
        assumeTrue(false, program + " is not installed");
    }

    @ParameterizedTest
    @DisplayName("Maven compiles, from the repository in the user's home")
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void maven(Tier tier) throws IOException {
        needs("mvn");
        String ours =
                Files.readString(Path.of("pom.xml")); // its plugin has been fetched to build us
        String version = ours.replaceAll("(?s).*<version.compiler-plugin>(.*?)<.*", "$1");
        String pom =
                """
                <project><modelVersion>4.0.0</modelVersion>
                <groupId>x</groupId><artifactId>x</artifactId><version>1</version>
                <properties><maven.compiler.source>17</maven.compiler.source>
                <maven.compiler.target>17</maven.compiler.target></properties></project>
                """;
        Path workspace = workspace(Map.of("pom.xml", pom, "src/main/java/A.java", "class A {}"));

        String plugin = "org.apache.maven.plugins:maven-compiler-plugin:" + version + ":compile";
        var _ = quietly(tier, workspace, "mvn -o -q -B -ntp " + plugin);

        assertTrue(Files.exists(workspace.resolve("target/classes/A.class")));
    }

    @ParameterizedTest
    @DisplayName("npm installs a package of the workspace")
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void npm(Tier tier) throws IOException {
        needs("npm");
        Path workspace =
                workspace(
                        Map.of(
                                "package.json",
                                "{\"name\":\"n\",\"version\":\"1.0.0\",\"dependencies\":{\"dep\":\"file:./dep\"}}",
                                "dep/package.json",
                                "{\"name\":\"dep\",\"version\":\"1.0.0\",\"main\":\"index.js\"}",
                                "dep/index.js",
                                "module.exports = 'works'"));

        String printed =
                quietly(
                        tier,
                        workspace,
                        "npm install --silent --no-audit --no-fund && node -p 'require(\"dep\")'");

        assertEquals("works", printed);
    }

    @ParameterizedTest
    @DisplayName("Cargo builds and runs a program")
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void cargo(Tier tier) throws IOException {
        needs("cargo");
        Path workspace =
                workspace(
                        Map.of(
                                "Cargo.toml",
                                "[package]\nname = \"c\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
                                "src/main.rs",
                                "fn main() { println!(\"works\"); }"));

        assertEquals("works", quietly(tier, workspace, "cargo run --offline --quiet"));
    }

    @ParameterizedTest
    @DisplayName(
            "git commits, rebases, stashes, and makes worktrees, clones and nested repositories")
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void git(Tier tier) throws IOException {
        needs("git");
        Path workspace = workspace(Map.of("a.txt", "one\n"));
        for (String command :
                List.of(
                        "git init -q -b main . && git add a.txt && $C commit -qm one",
                        "git switch -qc side && echo two >b.txt && git add . && $C commit -qm two",
                        "git switch -q main && echo x >>a.txt && $C commit -qam three",
                        "$C rebase -q main side && git switch -q main && $C merge -q side",
                        "echo y >>a.txt && $C stash -q && $C stash pop -q && git checkout -q a.txt",
                        "git worktree add -q tree && cd tree && echo z >z && git add z && $C commit -qm z",
                        "git worktree remove --force tree && git branch -q -D tree",
                        "git clone -q . copy && cd copy && echo q >q && git add q && $C commit -qm q",
                        "git switch -qc other main~1 && $C cherry-pick main >/dev/null && git switch -q main",
                        "git tag v1 && git gc -q && git fsck --no-progress",
                        "git init -q nested && cd nested && $C commit -q --allow-empty -m n",
                        "git status --short >/dev/null && git log --oneline | wc -l")) {
            String identity = "git -c user.name=n -c user.email=e@example.com";
            var _ = quietly(tier, workspace, "set -e; C='" + identity + "'; " + command);
        }
    }

    @ParameterizedTest
    @DisplayName("submodules of a clone are initialised and updated, without a word of the sandbox")
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void submodules(Tier tier) throws Exception {
        needs("git");
        Path workspace = workspace(Map.of("a.txt", "one\n"));
        String identity = "git -c user.name=n -c user.email=e@x -c protocol.file.allow=always";
        outside(
                workspace.getParent(),
                "C='"
                        + identity
                        + "'; git init -q lib; cd lib; echo l >l; git add l; $C commit -qm l;"
                        + " cd ..; git init -q main; cd main;"
                        + " $C submodule --quiet add ../lib/../lib a/sub; $C commit -qm m;"
                        + " cd ../ws; rm a.txt; git clone -q ../main .;"
                        + " git config remote.origin.url \"$PWD/../main\"");
        String update = identity + " submodule --quiet update --init";

        var _ = quietly(tier, workspace, "git submodule --quiet init && " + update);
        String again = quietly(tier, workspace, update + "; git submodule status; cat a/sub/l");

        assertTrue(again.endsWith("\nl") && !again.startsWith("-"), again);
    }

    @ParameterizedTest
    @DisplayName("a submodule is added; in bwrap the result says that it is not registered yet")
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void addedSubmodule(Tier tier) throws Exception {
        needs("git");
        Path workspace = workspace(Map.of("a.txt", "one\n"));
        outside(
                workspace,
                "git init -q . && git init -q lib && cd lib && echo l >l && git add l &&"
                        + " git -c user.name=n -c user.email=e@x commit -qm l");

        CommandOutcome outcome =
                run(tier, workspace, "git -c protocol.file.allow=always submodule add ./lib sub");

        String notes = String.join("\n", outcome.notes());
        assertEquals(0, outcome.exitCode(), outcome.stderr().text() + notes);
        assertEquals("l\n", Files.readString(workspace.resolve("sub/l")));
        assertEquals(tier == Tier.BWRAP, notes.contains("git submodule init"), notes);
        assertEquals(
                tier == Tier.LANDLOCK,
                Files.readString(workspace.resolve(".git/config")).contains("[submodule"));
    }

    @ParameterizedTest
    @DisplayName("registered submodules are updated and another one is added; that is reported")
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    void moreSubmodules(Tier tier) throws Exception {
        needs("git");
        Path workspace = workspace(Map.of("a.txt", "one\n"));
        String identity = "git -c user.name=n -c user.email=e@x -c protocol.file.allow=always";
        outside(
                workspace,
                "C='"
                        + identity
                        + "'; git init -q . && git init -q lib && cd lib && echo l >l && git add l &&"
                        + " $C commit -qm l; cd ..; $C submodule --quiet add ./lib sub;"
                        + " $C commit -qm m; rm -rf sub; git config -f .git/modules/sub/config"
                        + " --unset core.worktree");

        var _ = quietly(tier, workspace, identity + " submodule --quiet update && cat sub/l");
        CommandOutcome added = run(tier, workspace, identity + " submodule add ./lib sub2");

        String notes = String.join("\n", added.notes());
        assertEquals(0, added.exitCode(), added.stderr().text() + notes);
        assertEquals("l\n", Files.readString(workspace.resolve("sub2/l")));
        assertTrue(Files.readString(workspace.resolve(".gitmodules")).contains("sub2"));
        assertTrue(notes.contains(".gitmodules changed"), notes);
    }

    /** As the user does. */
    private static void outside(Path folder, String command) throws Exception {
        Process process =
                new ProcessBuilder("sh", "-ec", command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String printed = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), printed);
    }
}
