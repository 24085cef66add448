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
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules of a commit, where an earlier run in the same checkout has tried to choose them. */
class ForgedRulesScenarioTest {
    private static final String DENIES = "permissions: {deny: [write_file]}\n";
    private static final String OLD = "test $(git rev-parse origin/main) = $(git rev-parse main)";
    private static final String REF = "refs/remotes/origin/main";

    /** Makes a commit with a server among its rules, by a line whose parts look harmless. */
    private static final String EVIL =
            "g=$(printf .%s git); n=$(printf .%s agent); b=$(printf"
                    + " 'mcp_servers: {s: {command: touch, args: [%s/served]}}' $PWD"
                    + " | git hash-object -w --stdin);"
                    + " t=$(printf '100644 blob %s\\tconfig.yaml\\n' $b | git mktree);"
                    + " t=$(printf '040000 tree %s\\t%s\\n' $t $n | git mktree);"
                    + " c=$(git -c user.name=x -c user.email=x@x commit-tree $t -m evil); ";

    private static void repository(World world, String how) throws Exception {
        world.file(".agent/policy.yaml", DENIES);
        GitShell.run(
                world.workspace(),
                "git init -q "
                        + how
                        + " -b main . && git add -A && git commit -qm x && git update-ref "
                        + REF
                        + " HEAD && git commit -q --allow-empty -m y && git tag -am t v1");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    it moved the branch       | git update-ref refs/remotes/origin/main $c | refs/remotes/origin/main
                    it wrote its file         | echo $c > $g/refs/remotes/origin/main    | origin/main
                    it exchanged its folder   | mkdir o; echo $c > o/main; mv $g/refs/remotes/origin $g/o; mv o $g/refs/remotes/origin | origin/main
                    it made a link of it      | echo $c > $g/y; ln -sf ../../../y $g/refs/remotes/origin/main | origin/main
                    it led it to another      | git update-ref refs/remotes/origin/x $c; git symbolic-ref refs/remotes/origin/main refs/remotes/origin/x | origin/main
                    it led it to an old one   | git symbolic-ref refs/remotes/origin/main refs/heads/main | origin/main
                    it wrote the common file  | rm $g/refs/remotes/origin/main; echo "$c refs/remotes/origin/main" > $g/packed-refs | origin/main
                    it packed it afterwards   | git update-ref refs/remotes/origin/main $c; git pack-refs --all | origin/main
                    it moved a tag            | git update-ref refs/tags/v1 $c | v1
                    it moved the store        | git update-ref refs/remotes/origin/main $c; mv $g n$g; ln -s n$g $g | origin/main
                    it filled the note        | git update-ref refs/remotes/origin/main $c; cd $g/refs/heads; touch $(seq 19900) | origin/main
                    it moved the own branch   | git update-ref refs/heads/main $c | main~0
                    """)
    @Tag("D45")
    @DisplayName("a name that a command has moved is refused: ")
    void moved(String how, String command, String ref) throws Exception {
        try (var model =
                        ScriptedServer.chat(
                                calls("run_command", "command", "sh move.sh"), says("Done."));
                var world = World.with(model)) {
            repository(world, "");
            world.file("move.sh", EVIL + command); // no command line that moves one is run unasked
            Ended first = world.runInside("--json", "--sandbox=off", "--yolo", "go");
            assertEquals(0, first.exitCode(), first::toString);
            GitShell.run(
                    world.workspace(), "git cat-file -e " + ref + ":.agent/config.yaml || " + OLD);

            Ended second = world.runInside("--rules-from=" + ref, "--trust", "go");

            assertEquals(3, second.exitCode(), second::toString);
            assertTrue(second.err().contains("commands of a run could write"), second::err);
            assertFalse(world.exists("served"), second::toString);
        }
    }

    @Test
    @Tag("D45")
    @DisplayName("a run that moves nothing leaves no note, and what is fetched later counts")
    void fetched() throws Exception {
        try (var model =
                        ScriptedServer.chat(
                                calls("run_command", "command", "sh move.sh"),
                                says("Done."),
                                says("Done."),
                                says("Done."));
                var world = World.with(model)) {
            repository(world, "");
            world.file("move.sh", EVIL + "git update-ref " + REF + " $c");
            world.runInside("--json", "--sandbox=off", "--yolo", "go");
            GitShell.run(world.workspace(), "git update-ref " + REF + " main~1");

            Ended fetched = world.runInside("--rules-from=origin/main", "go");
            Ended whole =
                    world.runInside(
                            "--rules-from="
                                    + GitShell.read(world.workspace(), "git rev-parse main")
                                            .strip(),
                            "go");

            assertEquals(0, fetched.exitCode(), fetched::toString);
            assertEquals(0, whole.exitCode(), whole::toString);
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    a commit | --object-format=sha1   | refs/remotes/origin/main
                    a folder | --object-format=sha1   | refs/remotes/origin/main^{tree}
                    a folder | --object-format=sha256 | refs/remotes/origin/main:.agent
                    a file   | --object-format=sha1   | refs/remotes/origin/main:.agent/policy.yaml
                    a file   | --object-format=sha256 | refs/remotes/origin/main:.agent/policy.yaml
                    """)
    @Tag("D45")
    @DisplayName("an object that was replaced under its own name is refused: ")
    void replaced(String what, String format, String object) throws Exception {
        try (var world = World.withoutModel()) {
            repository(world, format);
            // the content of another object of the same type, under the name of the real one
            GitShell.run(
                    world.workspace(),
                    "o=$(git rev-parse '"
                            + object
                            + "'); t=$(git cat-file -t $o); case $t in"
                            + " blob) n=$(echo 'permissions: {}' | git hash-object -w --stdin);;"
                            + " tree) n=$(printf '' | git mktree);;"
                            + " commit) n=$(git rev-parse main);; esac;"
                            + " f() { echo .git/objects/$(echo $1 | cut -c1-2)/$(echo $1 | cut -c3-); };"
                            + " chmod u+w $(f $o); cat $(f $n) > $(f $o);"
                            + " test $t != blob || git cat-file -p $o > /dev/null");

            Ended ended = world.runInside("--rules-from=" + REF, "go");

            assertEquals(3, ended.exitCode(), ended::toString);
            boolean ours = ended.err().contains("other content under the name");
            assertTrue(ours || ended.err().contains("hash mismatch"), ended::err); // git's own
        }
    }

    @ParameterizedTest
    @CsvSource({"main@{0}", "@{u}", "FETCH_HEAD", ":/x", "HEAD^{/x}"})
    @Tag("D45")
    @DisplayName("what commands write besides branches names no rules: ")
    void otherNames(String ref) throws Exception {
        try (var world = World.withoutModel()) {
            repository(world, "");
            GitShell.run(world.workspace(), "git rev-parse main > .git/FETCH_HEAD");
            Ended ended = world.runInside("--rules-from=" + ref, "go");
            assertEquals(3, ended.exitCode(), ended::toString);
        }
    }

    @Test
    @Tag("D45")
    @DisplayName("a repository that a command has made within the real one names no rules")
    void repositoryWithin() throws Exception {
        try (var world = World.withoutModel()) {
            repository(world, "");
            GitShell.run(
                    world.workspace(),
                    "mkdir sub; cd sub; git init -q -b main .; git commit -q --allow-empty -m evil;"
                            + " git update-ref refs/remotes/origin/main HEAD");
            Ended ended = world.runInside("-C", "sub", "--rules-from=origin/main", "go");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.err().contains("a repository within that of"), ended::err);
        }
    }
}
