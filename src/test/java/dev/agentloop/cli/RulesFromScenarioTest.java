package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import dev.agentloop.testing.GitShell;
import java.nio.file.Files;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules of a project that a pull request may have changed. */
class RulesFromScenarioTest {
    private static final String DENIES = "permissions: {deny: [write_file]}\n";
    private static final String HOOK =
            "limits: {max_steps: 7}\n"
                    + "hooks:\n  post_edit:\n    - {name: base, command: touch hooked}\n";

    @Test
    @Tag("D45")
    @DisplayName("the rules of the base branch hold, and what the change does to them is told")
    void baseBranch() throws Exception {
        try (var model = writes();
                var world = World.with(model)) {
            changedProject(world);

            Ended ended = world.runInside("--json", "--rules-from", "main", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertFalse(world.exists("a"), "the base branch denies it");
            String warnings = ended.result().path("warnings").toString();
            assertTrue(
                    warnings.contains(
                            "not these of the workspace: .agent/config.yaml (changed),"
                                    + " .agent/policy.yaml (removed)"),
                    warnings);
            assertFalse(warnings.contains("Not loaded"), warnings);
        }
    }

    @Test
    @Tag("D45")
    @Tag("P15")
    @DisplayName("what the base branch wants to have run, runs only if it is trusted too")
    void programsNeedTrust() throws Exception {
        try (var world = World.withoutModel()) {
            changedProject(world);
            GitShell.run(
                    world.workspace(),
                    "git checkout -q main && git rm -q .agent/policy.yaml && git commit -qm y");
            GitShell.run(world.workspace(), "git checkout -q change");

            Ended untrusted = world.inside("tools", "run", "write_file", FILE, "--rules-from=main");
            assertTrue(world.exists("a"), untrusted::toString);
            assertFalse(world.exists("hooked") || world.exists("evil"), untrusted::toString);
            String said =
                    "Ignored in main:.agent/config.yaml, needs --trust as well: hooks.post_edit";
            assertTrue(untrusted.err().contains(said), untrusted::err);

            Ended trusted =
                    world.inside(
                            "tools",
                            "run",
                            "write_file",
                            FILE.replace('x', 'y'),
                            "--rules-from=main",
                            "--trust");
            assertTrue(world.exists("hooked"), trusted::toString);
            assertFalse(world.exists("evil"), trusted::toString);
        }
    }

    @Test
    @Tag("D45")
    @Tag("P16")
    @DisplayName("a server of the base branch is not started without trust")
    void serversNeedTrust() throws Exception {
        try (var model = ScriptedServer.chat(says("Done."));
                var world = World.with(model)) {
            world.file(".agent/config.yaml", "mcp_servers: {s: {command: touch, args: [served]}}");
            GitShell.run(
                    world.workspace(), "git init -q -b main . && git add -A && git commit -qm x");
            Ended ended = world.runInside("--json", "--rules-from=main", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertFalse(world.exists("served"), ended::toString);
            assertTrue(warnings(ended).contains("needs --trust as well: mcp_servers"), ended::err);
        }
    }

    private static final String FILE = "{\"file_path\":\"a\",\"content\":\"x\"}";

    @Test
    @Tag("D45")
    @Tag("B50")
    @DisplayName("git reads them without running anything that the repository names")
    void hostileRepository() throws Exception {
        try (var model = writes();
                var world = World.with(model)) {
            changedProject(world);
            String bite = "touch " + world.root() + "/bitten; cat";
            for (String key :
                    new String[] {
                        "core.fsmonitor", "core.pager", "core.sshCommand", "diff.external",
                        "filter.x.smudge", "filter.x.clean", "diff.x.textconv", "gpg.program"
                    }) {
                GitShell.run(world.workspace(), "git config " + key + " '" + bite + "'");
            }
            GitShell.run(
                    world.workspace(),
                    "git config core.hooksPath hooks; git config log.showSignature true");
            world.file("hooks/post-index-change", "#!/bin/sh\n" + bite + "\n");
            GitShell.run(
                    world.workspace(),
                    "chmod +x hooks/*; echo '* filter=x diff=x' > .git/info/attributes");

            Ended ended = world.runInside("--json", "--rules-from=main", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertFalse(world.exists("a"), "the rules were read");
            assertFalse(Files.exists(world.root().resolve("bitten")), "and nothing else ran");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nowhere | there is no branch, tag or commit of this name",
                "FETCH_HEAD | it is what the last command of git has written",
                "main~900 | there is no branch, tag or commit main, or it has no such parent",
                "--output=x | needs a commit of git",
                "main:.agent/config.yaml | it is no name of a branch, tag or commit",
            })
    @Tag("D45")
    @DisplayName("a commit that is not there is a usage error that says how to get it")
    void noSuchCommit(String ref, String why) throws Exception {
        try (var world = World.withoutModel()) {
            changedProject(world);
            Ended ended = world.runInside("--json", "--rules-from=" + ref, "go");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertEquals("config_error", ended.result("stop_reason"));
            assertTrue(ended.result().path("errors").toString().contains(why), ended::toString);
            assertFalse(Files.exists(world.workspace().resolve("x^{commit}")));
        }
    }

    @Test
    @Tag("D10")
    @Tag("D45")
    @DisplayName("a link among the base branch's rules is refused, not followed")
    void link() throws Exception {
        try (var world = World.withoutModel()) {
            GitShell.run(
                    world.workspace(),
                    "git init -q -b main . && mkdir .agent && ln -s /etc/passwd .agent/policy.yaml");
            GitShell.run(world.workspace(), "git add -A && git commit -qm x");
            Ended ended = world.runInside("--rules-from=main", "go");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(
                    ended.err().contains(".agent/policy.yaml is a symbolic link there"),
                    ended::err);
        }
    }

    @Test
    @Tag("P15")
    @DisplayName("a workspace that was trusted says what it lost when its rules have changed")
    void lostTrust() throws Exception {
        try (var model = ScriptedServer.chat(says("Done."), says("Done."));
                var world = World.with(model).file(".agent/policy.yaml", DENIES)) {
            assertEquals(0, world.inside("config", "trust").exitCode());
            world.file(".agent/policy.yaml", "permissions: {deny: []}\n");

            String changed = warnings(world.runInside("--json", "go"));
            assertTrue(
                    changed.contains(
                            "Not loaded, this workspace was trusted, but .agent has changed since;"
                                    + " its rules, also its denials, are not applied (look at it,"
                                    + " then agent config trust, or --trust for one run): "),
                    changed);

            Files.delete(world.workspace().resolve(".agent/policy.yaml"));
            String removed = warnings(world.runInside("--json", "go"));
            assertTrue(removed.contains("there is nothing left"), removed);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a link leads to the workspace|git mv sub impl && ln -s impl sub|is a link of the work tree",
                "a branch of that name|git branch -q base HEAD|more than one branch or tag"
            })
    @Tag("D45")
    @DisplayName("a change cannot choose its rules: ")
    void choosesItsRules(String how, String script, String why) throws Exception {
        try (var world = World.withoutModel()) {
            world.file("sub/.agent/policy.yaml", DENIES);
            GitShell.run(
                    world.workspace(), "git init -q -b main . && git add -A && git commit -qm x");
            GitShell.run(world.workspace(), "git update-ref refs/remotes/base HEAD");
            GitShell.run(world.workspace(), "git checkout -qb change && " + script);
            String base = how.startsWith("a branch") ? "base" : "main";
            GitShell.run(world.workspace(), "test $(git rev-parse --abbrev-ref HEAD) = change");

            Ended ended = world.runInside("-C", "sub", "--rules-from=" + base, "go");

            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.err().contains(why), ended::err);
        }
    }

    @Test
    @Tag("D10")
    @Tag("D45")
    @DisplayName("a link in place of the folder of rules is refused as well")
    void linkedFolder() throws Exception {
        try (var world = World.withoutModel()) {
            world.file("rules/policy.yaml", DENIES);
            GitShell.run(world.workspace(), "git init -q -b main . && ln -s rules .agent");
            GitShell.run(world.workspace(), "git add -A && git commit -qm x");
            Ended ended = world.runInside("--rules-from=main", "go");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(
                    ended.err().contains(".agent is a symbolic link there, not a folder"),
                    ended::err);
        }
    }

    private static String warnings(Ended ended) {
        assertEquals(0, ended.exitCode(), ended::toString);
        return ended.result().path("warnings").toString();
    }

    private static ScriptedServer writes() {
        return ScriptedServer.chat(
                calls("write_file", "file_path", "a", "content", "x"), says("Done."));
    }

    /** On main a rule and a hook; on the branch at hand another hook and no rule. */
    private static void changedProject(World world) throws Exception {
        world.file(".agent/policy.yaml", DENIES).file(".agent/config.yaml", HOOK);
        GitShell.run(world.workspace(), "git init -q -b main . && git add -A && git commit -qm x");
        GitShell.run(world.workspace(), "git checkout -qb change && git rm -q .agent/policy.yaml");
        world.file(".agent/config.yaml", HOOK.replace("hooked", "evil"));
        GitShell.run(world.workspace(), "git add -A && git commit -qm change");
    }
}
