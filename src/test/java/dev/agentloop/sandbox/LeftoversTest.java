package dev.agentloop.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.sandbox.git.ConfinedGit;
import dev.agentloop.sandbox.watch.Boundaries;
import dev.agentloop.sandbox.watch.RunRecord;
import dev.agentloop.sandbox.watch.Watches;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The next start cleans up after a run that was killed together with all that watched over it. */
@Timeout(120)
class LeftoversTest {
    private static final String DEAD = "999999999"; // more than Linux gives to processes
    private static final Path BWRAP = Path.of("/usr/bin/bwrap");

    @TempDir(factory = OutsideTmp.class)
    Path temp;

    private Path workspace;
    private Path records;
    private Path tmp;

    @BeforeEach
    void folders() throws IOException {
        Path root = temp.toRealPath();
        workspace = Files.createDirectory(root.resolve("work space"));
        records = root.resolve("records");
        tmp = Files.createDirectory(root.resolve("tmp"));
        Files.createSymbolicLink(workspace.resolve("mvnw"), Path.of("build/mvnw"));
        Files.createDirectory(workspace.resolve(".vscode"));
        Files.writeString(workspace.resolve(".vscode/tasks.json"), "{}");
    }

    private Process start(Tier tier, String command) throws IOException {
        assumeTrue(tier != Tier.BWRAP || Files.isExecutable(BWRAP), "no bubblewrap");
        assumeTrue(tier != Tier.LANDLOCK || LandlockSandbox.trouble().isEmpty(), "no Landlock");
        List<String> argv =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledRun.class.getName(),
                        tier.name(),
                        BWRAP.toString(),
                        records.toString(),
                        workspace.toString(),
                        tmp.toString(),
                        command);
        return new ProcessBuilder(argv).inheritIO().start();
    }

    private void kill(Process run) throws IOException, InterruptedException {
        while (!Files.exists(workspace.resolve("ready"))) {
            assertTrue(run.isAlive(), "the run ended before its command was there");
            run.waitFor(20, TimeUnit.MILLISECONDS);
        }
        List<ProcessHandle> all = run.descendants().toList();
        for (ProcessHandle one : all) { // nobody cleans up between the first and the last
            new ProcessBuilder("kill", "-STOP", "" + one.pid()).start().waitFor();
        }
        run.destroyForcibly().waitFor();
        all.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle one : all) {
            one.onExit().join();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    @Tag("D48")
    void controlFilesArePutAway(Tier tier) throws IOException, InterruptedException {
        kill(
                start(
                        tier,
                        "mkdir build; echo evil > build/mvnw; echo evil > .envrc; echo x > .vscode/x;"
                                + " touch ready; sleep 100"));
        assertTrue(Files.exists(workspace.resolve(".envrc")), "nothing to clean up");

        String notes = String.join("\n", Leftovers.sweep(records, workspace));

        assertFalse(Files.exists(workspace.resolve(".envrc")), notes);
        assertFalse(Files.exists(workspace.resolve("mvnw")), notes);
        assertEquals("evil\n", Files.readString(workspace.resolve(".envrc.quarantined")));
        assertTrue(notes.contains(".envrc.quarantined") && notes.contains("build/mvnw"), notes);
        assertEquals(tier == Tier.LANDLOCK, notes.contains(".vscode is not as it was"), notes);
        assertFalse(Files.exists(workspace.resolve(".agent")), notes);
        assertEquals(List.of(), names(tmp), notes);
        assertEquals(List.of(), names(records), notes);
        assertEquals(List.of(), Leftovers.sweep(records, workspace));
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    @Tag("D48")
    void gitTrapsArePutAway(Tier tier) throws IOException, InterruptedException {
        repository();
        sh("git init -q old; echo true > old/.git/hooks/pre-push; git -C old remote add o /one");
        kill(
                start(
                        tier,
                        "git init -q sub; git -C sub config core.fsmonitor ./m;"
                                + " printf '\\n[remote \"o\"]\\n\\turl = /two\\n' >> old/.git/config;"
                                + " echo true > .git/hooks/pre-commit; touch ready; sleep 100"));

        String notes = String.join("\n", Leftovers.sweep(records, workspace));

        assertFalse(Files.exists(workspace.resolve("sub/.git/config")), notes);
        assertTrue(Files.exists(workspace.resolve("sub/.git/config.quarantined")), notes);
        assertFalse(Files.exists(workspace.resolve(".git/hooks/pre-commit")), notes);
        assertEquals(tier == Tier.LANDLOCK, notes.contains(".git/hooks/pre-commit was"), notes);
        assertTrue(Files.exists(workspace.resolve("old/.git/hooks/pre-push")), notes);
        assertTrue(Files.exists(workspace.resolve(".git/config")), notes);
        assertTrue(notes.contains("remote.o.url is /one /two"), notes);
        assertTrue(notes.contains("core.fsmonitor"), notes);
        assertEquals(List.of(), names(records), notes);
        assertEquals(List.of(), Leftovers.sweep(records, workspace));
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    @Tag("D48")
    @DisplayName("an object that a killed command replaced is put away, moved references told")
    void replacedObjectsArePutAway(Tier tier) throws IOException, InterruptedException {
        repository();
        sh("git update-ref refs/remotes/origin/main HEAD; git tag v1");
        kill(
                start(
                        tier,
                        "at() { echo .git/objects/$(echo $1 | cut -c1-2)/$(echo $1 | cut -c3-); };"
                                + " O=$(git rev-parse HEAD:f); echo evil > e; N=$(git hash-object -w e);"
                                + " chmod u+w $(at $O); cat $(at $N) > $(at $O); at $O > which;"
                                + " git update-ref refs/remotes/origin/main $N;"
                                + " touch ready; sleep 100"));
        Path object = workspace.resolve(Files.readString(workspace.resolve("which")).strip());
        long others = loose();

        String notes = String.join("\n", Leftovers.sweep(records, workspace));

        assertFalse(Files.exists(object), notes);
        assertTrue(Files.exists(object.resolveSibling(object.getFileName() + ".quarantined")));
        assertEquals(others, loose(), "the others stay: " + notes);
        assertTrue(notes.contains("does not hold the object of its name"), notes);
        assertTrue(notes.contains("refs/remotes/origin/main was "), notes);
        assertFalse(notes.contains("refs/tags/v1"), notes);
    }

    private long loose() throws IOException {
        try (var files = Files.walk(workspace.resolve(".git/objects"))) {
            return files.filter(Files::isRegularFile).count();
        }
    }

    @Test
    @Tag("D48")
    @DisplayName("links that an earlier command left do not make the record useless")
    void longLinksDoNotHideTheRest() throws IOException, InterruptedException {
        longLinks(97, ".envrc");
        kill(start(Tier.LANDLOCK, "echo evil > .envrc; touch ready; sleep 100"));

        String notes = String.join("\n", Leftovers.sweep(records, workspace));

        assertFalse(Files.exists(workspace.resolve(".envrc")), notes);
        assertTrue(notes.contains(".envrc.quarantined"), notes);
        assertFalse(notes.contains("d1/.envrc"), notes);
    }

    @Test
    @Tag("D48")
    @DisplayName("what does not fit into the record is said at once, and by the next start")
    void whatIsLeftOutIsSaid() throws IOException {
        longLinks(97, ".envrc", "mvnw", "gradlew", "CLAUDE.md", "AGENTS.md");
        RunRecord record = RunRecord.of(records, boundaries());
        Watches watches =
                new Watches(boundaries(), false, (_, _, _) -> ConfinedGit.Answer.NONE, record);

        Watches.Before before = watches.before();
        dead();
        String notes = String.join("\n", before.after());

        assertTrue(notes.contains("if the agent is killed"), notes);
        assertTrue(Files.size(records.resolve(names(records).getFirst())) < 2_000_000);
        Files.writeString(workspace.resolve(".envrc"), "evil");
        String left = String.join("\n", Leftovers.sweep(records, workspace));
        assertTrue(left.contains("links"), left);
        assertFalse(Files.exists(workspace.resolve(".envrc")), left);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "control", "blank", "cut", "huge"})
    @Tag("D48")
    @DisplayName("a record that cannot be read is told once, and the others are used")
    void garbledRecordsAreTold(String how) throws IOException {
        RunRecord record = RunRecord.of(records, boundaries());
        record.placeholders(Set.of(workspace.resolve(".agent")));
        dead();
        Path whole = records.resolve(names(records).getFirst());
        String text = Files.readString(whole);
        Path garbled = whole.resolveSibling(whole.getFileName().toString().replaceAll(".$", "77"));
        Files.writeString(
                garbled,
                switch (how) {
                    case "control" -> text.replace("workspace ", "workspace relative%zz");
                    case "blank" -> text.replace("workspace ", " \nworkspace ");
                    case "cut" -> text.substring(0, text.length() - 3);
                    case "huge" -> text + "x".repeat(17 * 1024 * 1024);
                    default -> "";
                });
        Files.createDirectories(workspace.resolve(".agent"));

        List<String> notes = Leftovers.sweep(records, workspace);

        assertFalse(Files.exists(workspace.resolve(".agent")), notes.toString());
        String said = notes.toString();
        assertTrue(said.contains("process " + DEAD) && said.contains(workspace.toString()), said);
        assertTrue(said.contains("git status") && said.contains(garbled + "-unread"), said);
        assertEquals(List.of(), Leftovers.sweep(records, workspace));
        assertEquals(List.of(garbled.getFileName() + "-unread"), names(records));
    }

    @Test
    @Tag("D48")
    @DisplayName("where the record holds no repositories, the next start says so")
    void missingPartsAreSaid() throws IOException {
        RunRecord record = RunRecord.of(records, boundaries());
        record.begin("command", new RunRecord.Looks(0, Optional.empty(), Optional.empty()));
        dead();
        Files.writeString(workspace.resolve(".envrc"), "mine");

        String notes = String.join("\n", Leftovers.sweep(records, workspace));

        assertTrue(notes.contains("repositories") && notes.contains("control files"), notes);
        assertTrue(Files.exists(workspace.resolve(".envrc")), "nobody knows whether it is new");
    }

    @Test
    @Tag("D48")
    @DisplayName("a reference without a value does not make the record useless")
    void emptyReferencesDoNotHideTheRest() throws IOException, InterruptedException {
        repository();
        sh("touch .git/refs/tags/empty");
        RunRecord record = RunRecord.of(records, boundaries());
        new Watches(boundaries(), false, (_, _, _) -> ConfinedGit.Answer.NONE, record).before();
        dead();
        Files.writeString(workspace.resolve(".envrc"), "evil");

        String notes = String.join("\n", Leftovers.sweep(records, workspace));

        assertFalse(notes.contains("cannot be read"), notes);
        assertFalse(Files.exists(workspace.resolve(".envrc")), notes);
        assertFalse(notes.contains("refs/tags/empty"), notes);
    }

    @Test
    @Tag("D48")
    @DisplayName("a store that leads elsewhere since the kill is not touched")
    void storesThatLeadElsewhereAreLeftAlone() throws IOException, InterruptedException {
        Path store = Files.createDirectories(temp.toRealPath().resolve("shared/store"));
        Boundaries wide =
                new Boundaries(workspace, tmp, List.of(), List.of(store), Map.of(), false);
        RunRecord record = RunRecord.of(records, wide);
        new Watches(wide, false, (_, _, _) -> ConfinedGit.Answer.NONE, record).before();
        dead();
        Path elsewhere = Files.createDirectories(temp.toRealPath().resolve("elsewhere"));
        new ProcessBuilder("git", "init", "-q", elsewhere.toString()).start().waitFor();
        Files.writeString(elsewhere.resolve(".git/hooks/pre-commit"), "mine");
        Files.delete(store);
        Files.createSymbolicLink(store, elsewhere);
        Files.writeString(workspace.resolve(".git"), "gitdir: " + store + "/.git\n");

        String notes = String.join("\n", Leftovers.sweep(records, workspace));

        assertTrue(Files.exists(elsewhere.resolve(".git/hooks/pre-commit")), notes);
        assertTrue(notes.contains(store + " leads to " + elsewhere + " now"), notes);
    }

    private Boundaries boundaries() {
        return new Boundaries(workspace, tmp, List.of(), List.of(), Map.of(), false);
    }

    /** The record of this process becomes one of a process that is no more. */
    private void dead() throws IOException {
        for (String name : names(records)) {
            String of = name.replaceFirst("-\\d+-\\d+-", "-" + DEAD + "-1-");
            Files.move(records.resolve(name), records.resolve(of));
        }
    }

    private void longLinks(int folders, String... names) throws IOException {
        String target = workspace + ("/" + "(".repeat(250)).repeat(15) + "/";
        for (int i = 1; i <= folders; i++) {
            Path folder = Files.createDirectory(workspace.resolve("d" + i));
            for (String name : names) {
                Files.createSymbolicLink(folder.resolve(name), Path.of(target + name + i));
            }
        }
    }

    private void repository() throws IOException, InterruptedException {
        sh("git init -q .; git config user.email a@b; git config user.name n; echo hi > f");
        sh("git add f; git commit -qm one");
    }

    private void sh(String command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder("sh", "-ec", command)
                        .directory(workspace.toFile())
                        .inheritIO()
                        .start();
        assertEquals(0, process.waitFor(), command);
    }

    @Test
    @Tag("D48")
    @DisplayName("empty files that the sandbox had made are removed, and it is said")
    void placeholdersAreRemoved() throws IOException, InterruptedException {
        new ProcessBuilder("git", "init", "-q", workspace.toString()).start().waitFor();
        kill(start(Tier.BWRAP, "touch ready; sleep 100"));
        assertTrue(Files.exists(workspace.resolve(".agent")), "nothing to clean up");
        assertTrue(Files.exists(workspace.resolve(".git/config.worktree")), "nothing to clean up");
        Files.writeString(workspace.resolve(".git/config.worktree"), "[core]\n"); // somebody's

        String notes = String.join("\n", Leftovers.sweep(records, workspace));

        assertFalse(Files.exists(workspace.resolve(".agent")), notes);
        assertFalse(Files.exists(workspace.resolve(".git/info/attributes")), notes);
        assertEquals("[core]\n", Files.readString(workspace.resolve(".git/config.worktree")));
        assertTrue(notes.contains(".agent") && !notes.contains("config.worktree"), notes);
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    @Tag("D48")
    @DisplayName("after a run that ended by itself nobody's files are touched")
    void nothingAfterAnOrdinaryEnd(Tier tier) throws IOException, InterruptedException {
        assertEquals(0, start(tier, "touch ready").waitFor());
        Files.writeString(workspace.resolve(".envrc"), "mine");

        assertEquals(List.of(), Leftovers.sweep(records, workspace));
        assertEquals("mine", Files.readString(workspace.resolve(".envrc")));
        assertEquals(List.of(), names(records));
    }

    @Test
    @Tag("D48")
    @DisplayName("the records of a run that lives, and of other workspaces, stay")
    void livingRunsKeepTheirRecords() throws IOException {
        RunRecord record = RunRecord.of(records, boundaries());
        record.begin("command", new RunRecord.Looks(0, Optional.empty(), Optional.empty()));
        Path other = Files.createDirectory(temp.toRealPath().resolve("other"));
        Files.writeString(workspace.resolve(".envrc"), "mine");

        assertEquals(List.of(), Leftovers.sweep(records, workspace));
        assertEquals(List.of(), Leftovers.sweep(records, other));
        assertEquals(1, names(records).size());
        assertEquals(List.of(), record.end("command"));
        assertEquals(List.of(), names(records));
    }

    @Test
    @Tag("D48")
    @DisplayName("a record that cannot be taken back is said, not taken for a killed run")
    void aRecordThatStaysIsSaid() throws IOException {
        RunRecord record = RunRecord.of(records, boundaries());
        record.begin("command", new RunRecord.Looks(0, Optional.empty(), Optional.empty()));
        Files.delete(records.resolve(names(records).getFirst()));
        Files.delete(records);
        Files.writeString(records, "in its place");

        String notes = String.join("\n", record.end("command"));

        assertTrue(notes.contains("may take it for one that was killed"), notes);
    }

    private static List<String> names(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
