package dev.agentloop.verification;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.json.Json;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckOutputTest {
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
                "python3 test_a.py#0##NONE",
                "python3 test_a.py#0#stdout:,all good#PASSED",
                "python3 -m py_compile a.py#0##PASSED",
                "node --check a.js#0##PASSED",
                "mypy .#0##PASSED",
            })
    @DisplayName("a check that found nothing to look at, or says nothing of it, has not passed")
    void nothingWasLookedAt(String line, int exit, String output, Verification.State expected) {
        CheckedWork work = new CheckedWork();
        String text = output == null ? "" : "\n" + output.replace(',', '\n');
        ToolCall call = new ToolCall("c", "run_command", "{\"command\":" + Json.quote(line) + "}");
        ToolResult result =
                ToolResult.of(
                                exit == 0 ? ToolResult.Kind.OK : ToolResult.Kind.ERROR,
                                "exit code: " + exit + " (1 s)" + text)
                        .withExitCode(exit);
        work.note(List.of(call), List.of(new Message.Tool("c", result)));

        assertEquals(expected, work.verification().state());
    }
}
