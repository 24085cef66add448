package dev.agentloop.verification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.json.Json;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.Effect;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckedWorkTest {
    private final CheckedWork work = new CheckedWork();

    @Test
    void aChangeAfterTheLastCommandThatSucceededIsUnchecked() {
        assertFalse(work.isUnchecked());
        edit("src/a.py");
        assertTrue(work.isUnchecked());
        run("python3 a.py", 1, "Traceback");
        assertTrue(work.isUnchecked());
        run("python3 a.py", 0, "");
        assertFalse(work.isUnchecked());
        edit("src/a.py");
        assertTrue(work.isUnchecked());
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/a.rst", "LICENSE", "CHANGELOG", "notes/todo.txt"})
    void documentsNeedNoCheck(String path) {
        edit(path);

        assertFalse(work.isUnchecked());
    }

    @Test
    @DisplayName("folders named dist and coverage are output, but not below src")
    void foldersOfOutput() {
        assertFalse(ProjectFiles.needsCheck("web/dist/index.js"));
        assertFalse(ProjectFiles.needsCheck("coverage/lcov-report/index.html"));
        assertTrue(ProjectFiles.needsCheck("src/coverage/rules.py"));
        assertTrue(ProjectFiles.needsCheck("web/src/dist/index.ts"));
    }

    @Test
    void theLastCheckBehindTheLastChangeCounts() {
        run("pytest -q", 0, "3 passed");
        edit("a.py");
        assertEquals(Verification.NONE, work.verification());
        run("ls", 0, "");
        assertEquals(Verification.NONE, work.verification());
        run("pytest -q", 1, "1 failed");
        assertEquals(new Verification(Verification.State.FAILED, "pytest -q"), work.verification());
        run("cd /x && python3 -m pytest -q 2>&1", 0, "3 passed");
        assertEquals(Verification.State.PASSED, work.verification().state());
        edit("README.md");
        assertEquals(Verification.State.PASSED, work.verification().state());
        edit("b.py");
        assertEquals(Verification.NONE, work.verification());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "pytest -q | tail -5#0#=== 3 passed in 0.1s#PASSED",
                "pytest -q >/dev/null 2>&1 || echo ok#0#ok#NONE",
                "pytest -q >/dev/null || echo 3 passed#0#3 passed#NONE",
                "pytest -q >/dev/null && echo ok#0#ok#PASSED",
                "pytest -q >/dev/null; printf 'OK\\n'#0#OK#NONE",
                "pytest -q >/dev/null; echo -n OK#0#OK#NONE",
                "bash -c 'pytest -q >/dev/null; echo ok' | tee t.log#0#ok#NONE",
                "bash -c 'pytest -q >/dev/null && echo ok' | tee t.log#0#ok#PASSED",
                "pytest -q || echo broken#0#=== 3 passed in 0.1s#PASSED",
                "ruff check --exit-zero#0#Found 3 errors.#FAILED",
                "flake8 --exit-zero#0#a.py:1:1: F821 undefined name#NONE",
                "mvn -fn test#0#Tests run: 3, Failures: 1#FAILED",
                "mvn test -Dmaven.test.failure.ignore=true#0#Tests run: 3, Failures: 1#FAILED",
                "mvn -fn test#1#Could not resolve#FAILED",
                "npm test --if-present#0#?#NONE",
                "gofmt -d .#0#diff a.go#NONE",
                "set +e; pytest -q; code=$?; set -e; echo code $code#0#1 failed, 2 passed#FAILED",
                "set -e; set +e; pytest -q; echo x#0#1 failed, 2 passed#FAILED",
                "set -eu; pytest -q; echo x#0#it fails: 1 failed as expected#PASSED",
                "grep -n pipefail ci.sh; pytest -q | tail -3#0#1 failed, 2 passed#FAILED",
                "set -o pipefail; pytest -q | tail -3#0#1 failed as expected#PASSED",
                "pytest -q | tail -5#0#=== 1 failed, 2 passed#FAILED",
                "mvn -q test | tail -20#0#BUILD SUCCESS#PASSED",
                "npm test; echo done#0#  5 passing#PASSED",
                "npm test; echo done#0#  1 failing#FAILED",
                "go test ./... | tail -3#0#FAIL a,ok b,FAIL#FAILED",
                "make test || true#0#nothing that tells#NONE",
                "bash -c 'pytest -q; exit 0'#0#1 failed, 2 passed#FAILED",
                "bash -lc 'cd x && pytest -q'#0##PASSED",
                "bash -c 'pytest -q || true'#0#nothing that tells#NONE",
                "! pytest -q#0#1 failed#FAILED",
                "if pytest -q, then echo yes, fi#0#nothing that tells#NONE",
                "pytest -q &#0##NONE",
                "(pytest -q &) , sleep 1#0##NONE",
                "pytest -q && sed -i s/a/b/ a.py#0##PASSED",
                "set -o pipefail; go test ./... | tee log#0#ok#PASSED",
                "set -o pipefail; go test ./... | tee log#1#x#FAILED",
            })
    void whereAnotherProgramHasTheExitCodeTheOutputTells(
            String line, int exit, String output, Verification.State expected) {
        edit("a.py");
        run(line.replace(',', ';'), exit, output == null ? "" : output.replace(',', '\n'));

        assertEquals(expected, work.verification().state());
    }

    @ParameterizedTest
    @ValueSource(strings = {"CMakeLists.txt", "requirements-dev.txt", "tests/expected.txt", "x.po"})
    void textsThatProgramsReadNeedACheck(String path) {
        edit(path);

        assertTrue(work.isUnchecked());
    }

    @Test
    @DisplayName("of checks side by side the last one of the reply counts, whichever began first")
    void checksSideBySide() {
        ToolCall parse = new ToolCall("1", "run_command", "{\"command\":\"bash -n a.sh\"}");
        ToolCall test = new ToolCall("2", "run_command", "{\"command\":\"pytest -q\"}");
        work.begins(test, Effect.OPAQUE);
        work.begins(parse, Effect.OPAQUE);
        work.note(
                List.of(parse, test),
                List.of(
                        new Message.Tool("1", ToolResult.ok("").withExitCode(0)),
                        new Message.Tool("2", ToolResult.error("1 failed").withExitCode(1))));
        assertEquals(new Verification(Verification.State.FAILED, "pytest -q"), work.verification());
    }

    @Test
    @DisplayName("a check whose run an agent overtook with a change says nothing of that change")
    void aChangeWhileTheCheckRan() {
        ToolCall check = new ToolCall("c", "run_command", "{\"command\":\"pytest -q\"}");
        CheckedWork builder = new CheckedWork();
        work.begins(check, Effect.OPAQUE);
        builder.changed("a.py");
        work.adopt(builder);
        work.note(
                List.of(check),
                List.of(new Message.Tool("c", ToolResult.ok("3 passed").withExitCode(0))));

        assertEquals(Verification.NONE, work.verification());
        assertTrue(work.isUnchecked());
    }

    @Test
    @DisplayName("tests that ended in the background without anybody looking count at the end")
    void endedUnseen() {
        Map<String, ToolResult> ended = new HashMap<>();
        work.in(
                new CheckedProject(
                        List.of(), Optional::empty, id -> Optional.ofNullable(ended.get(id))));
        edit("a.py");
        note("run_command", "{\"command\":\"pytest -q\"}", ToolResult.ok("b1 is running (pid 7"));
        run("ls", 0, "");
        work.settle();
        assertTrue(work.isUnchecked()); // the tests still run
        assertEquals(Verification.NONE, work.verification());
        ended.put("b1", ToolResult.error("1 failed").withExitCode(1));
        work.settle();
        assertEquals(new Verification(Verification.State.FAILED, "pytest -q"), work.verification());
    }

    @Test
    void whatTheProjectCallsItsTestsIsACheck() {
        List<String> named =
                NamedChecks.in(
                        """
                        # Guide
                        Run `bin/dev up` to start.
                        Before a commit run the tests with `bin/dev all`.

                        ## Lint
                        ```
                        $ bin/dev tidy  # slow
                        ```
                        ## Deploy
                        ```
                        bin/dev ship
                        ```
                        """);

        assertEquals(List.of("bin/dev all", "bin/dev tidy"), named);
        know(named);
        edit("a.py");
        run("bin/dev all -v", 0, "");
        assertEquals(Verification.State.PASSED, work.verification().state());
    }

    @Test
    void theQuestionIsAskedOnceAndTheAnswerStandsUntilAFileIsChanged() {
        edit("a.py");
        assertTrue(work.mayAsk("Done."));
        assertFalse(work.mayAsk("Done again."));
        assertEquals("Done.", work.standingAnswer());
        edit("a.py");
        assertEquals("", work.standingAnswer());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "npm install -D eslint",
                "npm i vitest",
                "npm i @types/node",
                "yarn add test-lib",
                "cd server && cat x",
                "git commit -m tests",
                "npm install",
                "python -m venv .venv",
                "uv sync",
                "docker compose up -d db",
                "alembic upgrade head",
                "npm start"
            })
    void whatInstallsOrLeadsToAFolderIsNoCheck(String line) {
        know(
                NamedChecks.in(
                        """
                        ## Build and test
                        ```
                        cd server
                        npm install
                        npm test
                        ```
                        Check your work before `git commit`.
                        """));
        edit("a.js");
        run(line, 0, "");
        assertEquals(Verification.NONE, work.verification());
        run("npm test", 0, "");
        assertEquals(Verification.State.PASSED, work.verification().state());
    }

    @Test
    void testsInTheBackgroundCountWhenTheyHaveEndedUnlessAFileWasChangedMeanwhile() {
        edit("a.py");
        note("run_command", "{\"command\":\"pytest -q\"}", ToolResult.ok("b1 is running (pid 7"));
        assertTrue(work.isUnchecked());
        note("command_output", "{\"id\":\"b1\"}", ended(0));
        assertFalse(work.isUnchecked());
        assertEquals(new Verification(Verification.State.PASSED, "pytest -q"), work.verification());
        edit("a.py");
        note("command_output", "{\"id\":\"b1\"}", ended(0)); // what ended before says nothing
        assertTrue(work.isUnchecked());
        note("run_command", "{\"command\":\"pytest -q\"}", ToolResult.ok("b2 is running (pid 7"));
        edit("a.py");
        note("command_output", "{\"id\":\"b2\"}", ended(0));
        assertTrue(work.isUnchecked());
        assertEquals(Verification.NONE, work.verification());
    }

    @Test
    void whatAnAgentThatWorksForTheRunHasCheckedCounts() {
        edit("a.py");
        CheckedWork idle = new CheckedWork();
        work.adopt(idle);
        assertTrue(work.isUnchecked());
        CheckedWork tester = new CheckedWork();
        tester.note(
                List.of(new ToolCall("c", "run_command", "{\"command\":\"pytest -q\"}")),
                List.of(new Message.Tool("c", ToolResult.ok("3 passed").withExitCode(0))));
        work.adopt(tester);
        assertFalse(work.isUnchecked());
        assertEquals(new Verification(Verification.State.PASSED, "pytest -q"), work.verification());
    }

    @Test
    @DisplayName(
            "a check that the project does not have is none, and one that failed in a pipe is no success")
    void whatWasNotCheckedAtAll() {
        edit("a.py");
        String make = "{\"command\":\"make test\"}";
        String said = "exit code: 2\nstderr:\nmake: *** No rule to make target 'test'.  Stop.";
        note("run_command", make, ToolResult.error(said).withExitCode(2));
        assertEquals(Verification.State.NONE, work.verification().state());
        note(
                "run_command",
                "{\"command\":\"nosuch-pytest\"}",
                ToolResult.error("exit code: 127, x").withExitCode(127));
        assertEquals(Verification.State.NONE, work.verification().state());
        assertEquals(Verification.NONE, work.verification());
        String broken = "make: *** No rule to make target 'tests/a.c', needed by 'test'.  Stop.";
        note("run_command", make, ToolResult.error(broken).withExitCode(2));
        assertEquals(Verification.State.FAILED, work.verification().state());
        note("run_command", make, ToolResult.error(said).withExitCode(2));
        assertEquals(Verification.State.FAILED, work.verification().state());
        note(
                "run_command",
                "{\"command\":\"pytest | tail\"}",
                ToolResult.ok("1 failed").withExitCode(0));
        assertEquals(Verification.State.FAILED, work.verification().state());
        assertTrue(work.isUnchecked());
    }

    @Test
    @DisplayName("a check of one agent says nothing of what another one changed after it")
    void agentsSideBySide() {
        List<ToolCall> tests =
                List.of(new ToolCall("c", "run_command", "{\"command\":\"pytest -q\"}"));
        List<Message.Tool> passed =
                List.of(new Message.Tool("c", ToolResult.ok("3 passed").withExitCode(0)));
        for (boolean testerEndsFirst : new boolean[] {true, false}) {
            CheckedWork run = new CheckedWork();
            CheckedWork tester = new CheckedWork();
            CheckedWork builder = new CheckedWork();
            tester.note(tests, passed);
            builder.changed("a.py");
            run.adopt(testerEndsFirst ? tester : builder);
            run.adopt(testerEndsFirst ? builder : tester);

            assertTrue(run.isUnchecked());
            assertEquals(Verification.NONE, run.verification());
            tester.note(tests, passed);
            run.adopt(tester);
            assertFalse(run.isUnchecked());
            assertEquals(Verification.State.PASSED, run.verification().state());
        }
    }

    @Test
    @DisplayName("a failure that was seen while the tests ran in the background is not forgotten")
    void aFailureSeenOnTheWay() {
        edit("a.py");
        String tests = "{\"command\":\"pytest | cat\"}";
        note("run_command", tests, ToolResult.ok("b1 is running (pid 7"));
        note("command_output", "{\"id\":\"b1\"}", ToolResult.ok("b1 runs\n3 failed, 1 passed"));
        note("command_output", "{\"id\":\"b1\"}", ToolResult.ok("5 passed").withExitCode(0));
        assertEquals(Verification.State.FAILED, work.verification().state());
    }

    private static ToolResult ended(int exit) {
        return ToolResult.ok("b1 has ended: exit code: " + exit).withExitCode(exit);
    }

    @Test
    void anAnswerDoesNotStandWhenACheckFails() {
        edit("a.py");
        assertTrue(work.mayAsk("Done."));
        run("pytest -q", 1, "1 failed");
        assertEquals("", work.standingAnswer());
    }

    private void know(List<String> commands) {
        work.in(new CheckedProject(commands, Optional::empty, _ -> Optional.empty()));
    }

    private void edit(String path) {
        FileChange change = new FileChange(path, FileChange.Kind.MODIFIED, 1, 1);
        note("edit_file", "{}", ToolResult.ok("Edited").withChanges(List.of(change)));
    }

    private void run(String command, int exit, String output) {
        ToolResult.Kind kind = exit == 0 ? ToolResult.Kind.OK : ToolResult.Kind.ERROR;
        note(
                "run_command",
                "{\"command\":" + Json.quote(command) + "}",
                ToolResult.of(kind, "exit code: " + exit + "\nstdout:\n" + output)
                        .withExitCode(exit));
    }

    private void note(String tool, String arguments, ToolResult result) {
        work.note(
                List.of(new ToolCall("c", tool, arguments)),
                List.of(new Message.Tool("c", result)));
    }
}
