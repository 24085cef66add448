package dev.agentloop.orchestration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.git.Git;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.secret.Secrets;
import dev.agentloop.testing.GitShell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a report says that a run has changed. */
class DiffedRunsTest {
    private static final String SECRET = "quite-a-secret-value-4711";

    @TempDir private Path folder;
    private Path work;

    @BeforeEach
    void repository() throws Exception {
        work = Files.createDirectories(folder.resolve("work")).toRealPath();
        Files.writeString(work.resolve("a.txt"), "one\ntwo\n");
        Files.writeString(work.resolve("mine.txt"), "as it was\n");
        Files.writeString(work.resolve(".gitignore"), "built\n");
        GitShell.run(work, "git init -q -b main; git add -A; git commit -q -m first");
        Files.writeString(work.resolve("mine.txt"), "changed by me, before\n");
    }

    /** A run that does what a shell does. */
    private WorkDiff diff(String script) {
        FakeRuns runs = new FakeRuns();
        runs.meanwhile = _ -> shell(script);
        Map<String, String> environment =
                Map.of("PATH", System.getenv("PATH"), "HOME", folder.toString());
        ProcessRunner runner = new ProcessRunner(environment, List.of());
        Optional<Git> git = Git.find(runner, work, Duration.ofMinutes(1), new Cancellation());
        Secrets secrets = Secrets.of(Map.of("SOME_TOKEN", SECRET));
        RunOrder order = new RunOrder(List.of(), "go", work, null, null);
        return new DiffedRuns(runs, git, secrets::mask).run(order, new Cancellation()).diff();
    }

    private void shell(String script) {
        try {
            GitShell.run(work, script);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("each file has its lines; what was there before, and what git ignores, is no work")
    void changes() throws Exception {
        String index = GitShell.read(work, "sha1sum .git/index");
        WorkDiff diff =
                diff(
                        "printf 'one\\nTWO\\n' > a.txt; mkdir b built; echo x > built/y;"
                                + " printf -- '-- sql\\r\\n' > 'b/new file.txt'; printf 'a\\0b' > c.bin");

        WorkDiff.FileDiff a =
                new WorkDiff.FileDiff("a.txt", 1, 1, "@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n");
        WorkDiff.FileDiff b =
                new WorkDiff.FileDiff(
                        "b/new file.txt", 1, 0, "new file mode 100644\n@@ -0,0 +1 @@\n+-- sql\n");
        WorkDiff.FileDiff c =
                new WorkDiff.FileDiff(
                        "c.bin",
                        0,
                        0,
                        "new file mode 100644\nBinary files /dev/null and b/c.bin differ\n");
        assertEquals(new WorkDiff(List.of(a, b, c), ""), diff);
        assertEquals(index, GitShell.read(work, "sha1sum .git/index"));
    }

    @Test
    @DisplayName("what a run has committed itself, or hidden by its own git, is seen all the same")
    void committed() throws Exception {
        GitShell.run(work, "git worktree add -q ../tree");
        work = folder.resolve("tree").toRealPath();
        String script =
                "git checkout -q -b other; echo x > a.txt; git commit -q -a -m it; rm .git;"
                        + " git init -q; git add -A; git commit -q -m new;"
                        + " echo built > '\tq\"\n'; rm mine.txt";
        List<String> names = diff(script).files().stream().map(WorkDiff.FileDiff::name).toList();

        assertTrue(names.contains("\"\\tq\\\"\\n\""), names::toString);
        assertTrue(names.containsAll(List.of("a.txt", "mine.txt")), names::toString);
    }

    @Test
    @DisplayName(
            "secrets are masked before anything is cut, and a file that is long hides no other")
    void bounded() {
        String half = "head -c 59990 /dev/zero | tr '\\0' x > a.txt; printf %s " + SECRET;
        WorkDiff diff =
                diff(half + " >> a.txt; for i in 1 2 3 4 5; do seq 90000 > z$i; done; echo y > b");

        String first = diff.files().getFirst().text();
        assertFalse(first.contains("quite"), "half a secret");
        assertTrue(first.contains("more characters are left out"), diff.lack());
        assertEquals(7, diff.files().size());
        assertTrue(diff.files().get(1).text().endsWith("+y\n"), diff.files().get(1)::toString);
        int kept = diff.files().stream().mapToInt(file -> file.text().length()).sum();
        assertTrue(kept < 201_000, () -> kept + " characters");
        assertEquals("it is too long to be kept whole", diff.lack());
    }

    @Test
    @DisplayName("where there is no repository it is said, and the run is done all the same")
    void noRepository() throws Exception {
        GitShell.run(work, "rm -rf .git");
        WorkDiff diff = diff("echo x > a.txt");

        assertEquals("x\n", Files.readString(work.resolve("a.txt")));
        assertTrue(diff.lack().startsWith("git cannot look at the work tree: "), diff.lack());
    }
}
