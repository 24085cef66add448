package dev.agentloop.tool.builtin.command;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.ToolResult;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.process.VariableReach;
import dev.agentloop.sandbox.Sandbox;
import dev.agentloop.testing.ToolFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command that fails is told what it did not get. */
class MissingVariablesTest {
    private final Map<String, String> environment = new HashMap<>();

    @TempDir Path folder;

    @Test
    void theOneThatTheCommandNamesIsNamedEachTime() {
        environment.put("SHOP_REGION", "eu");
        environment.put("SHOP_TOKEN", "0123456789abcdef0123");
        ToolFixture tools = tools(VariableReach.KNOWN);
        for (int i = 0; i < 2; i++) {
            String text = run(tools, "test -n \"$SHOP_TOKEN\" || exit 3");
            assertTrue(text.contains("[Variables that commands do not get: SHOP_TOKEN. "), text);
            assertTrue(text.contains("commands.pass_env: [SHOP_TOKEN]"), text);
            assertFalse(text.contains("0123456789"), text);
        }
        String printed = run(tools, "echo \"KeyError: 'SHOP_REGION'\" >&2; exit 1");
        assertTrue(printed.contains("do not get: SHOP_REGION"), printed);
    }

    @Test
    void othersAreNamedOnceAndNoSecretsAmongThem() {
        environment.put("SHOP_REGION", "eu");
        environment.put("SHOP_TOKEN", "0123456789abcdef0123");
        environment.put("LS_COLORS", "x");
        ToolFixture tools = tools(VariableReach.KNOWN);

        String first = run(tools, "exit 3");
        assertTrue(first.contains("do not get: SHOP_REGION."), first);
        assertFalse(run(tools, "exit 3").contains("SHOP_REGION"));
        assertFalse(run(tools, "true # SHOP_REGION").contains("do not get"));
    }

    @Test
    void anAnswerIsNoFailure() {
        environment.put("SHOP_REGION", "eu");
        ToolFixture tools = tools(VariableReach.KNOWN);
        assertFalse(run(tools, "grep nothing /dev/null").contains("do not get"));
        assertTrue(run(tools, "exit 3").contains("do not get: SHOP_REGION"));
    }

    @Test
    void withoutASandboxByTheUsersWordAllButSecretsArePassed() {
        environment.put("SHOP_REGION", "eu");
        environment.put("SHOP_TOKEN", "0123456789abcdef0123");
        environment.put("AGENT_ORIG_X", "ours");
        ToolFixture tools = tools(VariableReach.ALL);

        String text = run(tools, "echo \"$SHOP_REGION,$SHOP_TOKEN,$AGENT_ORIG_X\"");
        assertTrue(text.contains("stdout:\neu,,"), text);
    }

    private ToolFixture tools(VariableReach reach) {
        environment.put("PATH", System.getenv("PATH"));
        ProcessRunner runner =
                new ProcessRunner(environment, List.of(), reach, () -> Sandbox.NONE, "");
        return ToolFixture.with(folder, List.of(new RunCommandTool(runner, Duration.ofMinutes(1))));
    }

    private static String run(ToolFixture tools, String command) {
        ToolResult result = tools.call("run_command", "command", command);
        return result.text();
    }
}
