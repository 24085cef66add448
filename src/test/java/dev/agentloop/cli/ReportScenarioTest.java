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
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The pages of eval, parallel and loop, as real processes. */
class ReportScenarioTest {
    private static final String SUITE =
            """
            name: files
            tasks:
              - name: make
                prompt: Make ok.txt.
                checks: ["echo looking; cat ok.txt"]
            variants:
              - {name: able, max_steps: 7}
              - {name: lazy, agent: explore}
            """;

    private static final String SECRET = "quite-a-secret-value-4711";

    private static World repository(World world) throws Exception {
        world.file("a.txt", "a\n").file("suite.yaml", SUITE);
        GitShell.run(world.workspace(), "git init -q -b main; git add -A; git commit -q -m first");
        return world;
    }

    /** The words of a page, without its tags. */
    private static String words(World world, String file) throws Exception {
        String page = Files.readString(world.workspace().resolve(file));
        assertTrue(page.endsWith("</html>\n"), "whole");
        return page.replaceAll("(?s)<style>.*?</style>|<script>.*?</script>", "")
                .replaceAll("<[^>]*>", " ")
                .replaceAll("[ \n]+", " ");
    }

    @Test
    @DisplayName(
            "eval: a page shows figures, what failed, and the diffs of the variants, below the gate")
    void eval() throws Exception {
        try (var model =
                        ScriptedServer.chat(
                                calls("write_file", "file_path", "ok.txt", "content", "made\n"),
                                says("Made."),
                                says("Made, believe me."));
                var world = repository(World.with(model))) {
            Ended ended =
                    world.inside("eval", "--min-pass=0.5", "--report-file=out.html", "suite.yaml");

            assertEquals(2, ended.exitCode(), ended::toString);
            assertTrue(ended.err().contains("The report is in "), ended::err);
            String page = words(world, "out.html");
            assertTrue(page.contains("a variant passed less often than 0.5 (exit code 2)"), page);
            assertTrue(page.contains("able 1/1 100% 21%–100% $0.0026"), page);
            assertTrue(page.contains("lazy 0/1 0% 0%–79% $0.0013"), page);
            assertTrue(page.contains("lazy #1: failed"), page);
            assertTrue(page.contains("cat: ok.txt: No such file or directory What the"), page);
            assertTrue(page.contains("able #1 passed , 1 file, +1 −0"), page);
            assertTrue(page.contains("ok.txt +1 −0 new file mode 100644"), page);
            assertTrue(page.contains("+made"), page);
            assertTrue(page.contains("lazy #1 failed , no file changed"), page);
            exportsASession(world, page);
        }
    }

    /** By the words that stand on the page, though the run's work tree is gone. */
    private static void exportsASession(World world, String page) {
        Matcher named = Pattern.compile("agent (sessions export \\S+ --format html)").matcher(page);
        assertTrue(named.find(), page);
        Ended session = world.inside(named.group(1).split(" "));
        assertEquals(0, session.exitCode(), session::toString);
        assertTrue(session.out().contains("Make ok.txt."), session::out);
    }

    @Test
    @DisplayName("parallel: a page shows each task's branch and diff, and what two have changed")
    void parallel() throws Exception {
        try (var model =
                        ScriptedServer.chat(
                                calls(
                                        "write_file",
                                        "file_path",
                                        "ok.txt",
                                        "content",
                                        "one " + SECRET),
                                says("<b>Done</b>."),
                                calls("write_file", "file_path", "ok.txt", "content", "two\n"),
                                says("Done."));
                var world = repository(World.with(model))) {
            world.env("SOME_TOKEN", SECRET);
            String[] words = {
                "parallel", "--workers=1", "--report=html", "--report-file=out", "do one", "do two"
            };
            Ended ended = world.inside(words);

            assertEquals(0, ended.exitCode(), ended::toString);
            String page = words(world, "out");
            assertTrue(page.contains("2 of 2 done (exit code 0)"), page);
            assertTrue(page.contains("do-one success 0 2 "), page);
            assertTrue(page.contains("agent/do-two"), page);
            assertTrue(page.contains("changed by ok.txt do-one, do-two"), page);
            assertTrue(page.contains("+one [redacted:SOME_TOKEN]") && page.contains("+two"), page);
            assertTrue(page.contains("&lt;b&gt;Done&lt;/b&gt;"), page);
        }
    }

    @Test
    @DisplayName("loop: a page shows each iteration with its checks and what it has changed")
    void loop() throws Exception {
        try (var model =
                        ScriptedServer.chat(
                                says("COMPLETE"),
                                calls("write_file", "file_path", "ok.txt", "content", "made\n"),
                                says("COMPLETE"));
                var world = repository(World.with(model))) {
            String[] words = {"loop", "--report-file=out.html", "--check", "cat ok.txt", "make it"};
            Ended ended = world.inside(words);

            assertEquals(0, ended.exitCode(), ended::toString);
            String page = words(world, "out.html");
            assertTrue(page.contains("all_checks_passed (exit code 0)"), page);
            assertTrue(page.contains("1 llm_done 0 of 1 passed yes"), page);
            assertTrue(page.contains("2 llm_done 1 of 1 passed yes"), page);
            int second = page.indexOf("Iteration 2");
            assertTrue(page.indexOf("✗ failed cat ok.txt , exit code 1") < second, page);
            assertTrue(page.indexOf("No such file") < second, page);
            assertTrue(page.indexOf("ok.txt +1 −0") > second, page);
        }
    }

    @Test
    @DisplayName(
            "a report that cannot be written, or is of no known form, is refused before any run")
    void refused() throws Exception {
        try (var model = ScriptedServer.chat();
                var world = repository(World.with(model))) {
            String[][] wrong = {
                {"--report-file=no/folder.html", "make its folder first"},
                {"--report-file=/proc/x.html", "/proc/x.html: it cannot be written ("},
                {"--report-file=/dev/null", "add --report html, or give it a name that ends"},
                {"--report=html", "--report html needs a place: add --report-file FILE."},
                {"--report=sarif", "--report sarif: of several runs there is html only."},
            };
            for (String[] one : wrong) {
                for (Ended ended :
                        List.of(
                                world.inside("eval", one[0], "suite.yaml"),
                                world.inside("parallel", one[0], "do it"),
                                world.inside("loop", one[0], "--check=true", "do it"))) {
                    assertEquals(3, ended.exitCode(), ended::toString);
                    assertTrue(ended.err().contains(one[1]), ended::toString);
                }
            }
            assertEquals(0, model.requests().size());
            assertFalse(Files.exists(world.workspace().resolve("no")));
        }
    }

    @Test
    @DisplayName("a report whose folder a run has made a link goes elsewhere, and is no success")
    void lost() throws Exception {
        try (var model = ScriptedServer.chat(says("COMPLETE"));
                var world = repository(World.with(model))) {
            Files.createDirectory(world.workspace().resolve("out"));
            Ended ended =
                    world.inside(
                            "loop",
                            "--json",
                            "--report-file=out/page.html",
                            "--check",
                            "rmdir out; mkdir other; ln -s other out",
                            "make it");

            assertEquals(1, ended.exitCode(), ended::toString);
            assertEquals(1, ended.result().path("exit_code").asInt(), ended::toString);
            assertEquals("partial", ended.result("status"), ended::toString);
            assertFalse(Files.exists(world.workspace().resolve("other/page.html")));
            Matcher place = Pattern.compile("a link now\\. It is in (\\S+)").matcher(ended.err());
            assertTrue(place.find(), ended::err);
            Path page = Path.of(place.group(1));
            assertTrue(Files.readString(page).contains("all_checks_passed"), ended::err);
            Files.delete(page);
        }
    }
}
