package dev.agentloop.verification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.agentloop.json.Json;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckOutputTest {
    @Test
    @DisplayName("an output that no program prints on purpose is looked through in time")
    void unusualOutputs() {
        String long1 = "python".repeat(8_000);
        String long2 = "exit code: 0\n" + "stdout:\n".repeat(10_000);
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> {
                    CheckOutput.isOfNothing(List.of(), long1, false);
                    CheckOutput.hasFailure(long2 + "x PASSED ".repeat(5_000));
                    CheckOutput.isOfNothing(List.of(), ":" + "atest".repeat(40_000), true);
                    CommandParts.of("f(){\n".repeat(20_000));
                    CommandParts.echoed("set -e; echo a | b && c\n".repeat(50_000));
                    CommandParts.of("set -e; echo a | b && c\n".repeat(50_000));
                    NamedChecks.in("tests: `x" + " ".repeat(60_000) + "y`");
                    CheckOutput.state(
                            "python3 test_a.py",
                            List.of(new CommandParts.Part(List.of("python3", "test_a.py"), true)),
                            false,
                            long2,
                            true);
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "python3 -m unittest#0#Ran 0 tests in 0.000s,,OK#NONE",
                "python3 -m unittest#5#Ran 0 tests in 0.000s,,NO TESTS RAN#NONE",
                "python3 -m unittest#0#Ran 2 tests in 0.000s,,OK#PASSED",
                "pytest -q#5#no tests ran in 0.01s#NONE",
                "pytest -q x.py#4#no tests ran in 0.01s,ERROR: file or directory not found: x.py#FAILED",
                "node --test#0#ℹ tests 0,ℹ pass 0#NONE",
                "node --test#0#ℹ tests 3,ℹ pass 3#PASSED",
                "go test ./...#0#?    a [no test files]#NONE",
                "go test ./...#0#?    a [no test files],ok   b 0.01s#PASSED",
                "go test -run nosuch ./b#0#ok   b 0.01s [no tests to run]#NONE",
                "cargo test#0#running 0 tests,test result: ok. 0 passed, 0 failed#NONE",
                "cargo test#0#running 0 tests,running 4 tests,test result: ok. 4 passed#PASSED",
                "npx mocha#0#  0 passing (2ms)#NONE",
                "gradle test#0#> Task :test NO-SOURCE,BUILD SUCCESSFUL#NONE",
                "mvn test#0#[INFO] Tests run: 0,BUILD SUCCESS#NONE",
                "mvn package#0#[INFO] No tests to run.,BUILD SUCCESS#PASSED",
                "swift test#0#Executed 0 tests#NONE",
                "npx jest#0#Tests:       3 skipped; 3 total#NONE",
                "pytest -q#0#3 skipped in 0.01s#NONE",
                "pytest -q -k x#5#2 deselected in 0.01s#NONE",
                "pytest -q#0#1 passed; 3 skipped in 0.01s#PASSED",
                "npm run lint && npm test#0#No tests found#PASSED",
                "python3 -m unittest 2>&1 | tail#0#Ran 0 tests in 0.000s,,OK,On branch main#NONE",
                "npm test | tail#0#  ✓ shows 3 errors when the form is invalid,Tests: 2 passed#PASSED",
                "ctest | tail -2#0#100% tests passed; 0 tests failed out of 3#PASSED",
                "make -j$(nproc) test#2#make: *** [test] Error 1#FAILED",
                "make -j$(nproc) test#0##PASSED",
                "make -Oline test#0##PASSED",
                "pytest -q && true, python3 -m py_compile a.py#0#1 failed#FAILED",
                "true || pytest -q#0##NONE",
                "make -i test#0#1 failed#FAILED",
                "gofmt -l .#0#a.go#NONE",
                "./test.sh#126#permission denied#NONE",
                "bash -n#0##NONE",
                "t() { pytest -q; }#0##NONE",
                "python3 test_a.py#0#stdout: (empty),stderr: (empty)#NONE",
                "python3 test_a.py#0##NONE",
                "python3 test_a.py#0#stdout:,all good#PASSED",
                "python3 -m py_compile a.py#0##PASSED",
                "node --check a.js#0##PASSED",
                "mypy .#0##PASSED",
            })
    @DisplayName("a check that found nothing to look at, or says nothing of it, has not passed")
    void nothingWasLookedAt(String line, int exit, String output, Verification.State expected) {
        CheckedWork work = new CheckedWork();
        String text = output == null ? "" : "\n" + output.replace(',', '\n').replace(';', ',');
        ToolCall call =
                new ToolCall(
                        "c",
                        "run_command",
                        "{\"command\":" + Json.quote(line.replace(", ", "; ")) + "}");
        ToolResult result =
                ToolResult.of(
                                exit == 0 ? ToolResult.Kind.OK : ToolResult.Kind.ERROR,
                                "exit code: " + exit + " (1 s)" + text)
                        .withExitCode(exit);
        work.note(List.of(call), List.of(new Message.Tool("c", result)));

        assertEquals(expected, work.verification().state());
    }
}
