package dev.agentloop.permission;

import dev.agentloop.json.Json;
import dev.agentloop.llm.http.TrustedCas;
import dev.agentloop.message.ToolCall;
import dev.agentloop.permission.Circumstances.Confinement;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.storage.Roots;
import dev.agentloop.testing.ToolFixture;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.call.PreparedCall;
import dev.agentloop.web.WebFetchTool;
import dev.agentloop.web.WebLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Calls of the built-in tools, and circumstances to judge them in. */
final class PolicyFixture {
    private PolicyFixture() {}

    static ToolFixture tools(Path folder) throws IOException {
        Path root = Files.createDirectories(folder.resolve("ws"));
        List<Tool<?>> tools =
                new ArrayList<>(ToolFixture.builtin(new ProcessRunner(Map.of(), List.of())));
        tools.add(
                new WebFetchTool(
                        WebLimits.ofPage(8_000), Map.of(), () -> TrustedCas.SYSTEM, List.of()));
        return ToolFixture.with(root, tools);
    }

    static Circumstances where(ToolFixture tools, Confinement confinement, Supervision use) {
        Path root = tools.workspace.root();
        return new Circumstances(
                use,
                () -> confinement,
                Roots.only(root),
                Path.of("/home/somebody"),
                List.of(),
                List.of(),
                false,
                false);
    }

    static PreparedCall.Ready<?> ready(ToolFixture tools, String tool, String subject) {
        String json =
                switch (tool) {
                    case "run_command" -> "{'command':%s}";
                    case "network" -> "{'command':%s,'network':true}";
                    case "web_fetch" -> "{'url':%s}";
                    case "grep" -> "{'pattern':'x','path':%s}";
                    case "write_file" -> "{'file_path':%s,'content':''}";
                    case "edit_file" -> "{'file_path':%s,'old_string':'a','new_string':'b'}";
                    case "apply_patch" -> "{'patch':%s}";
                    case "move_file" -> "{'source_path':'evil','destination_path':%s}";
                    default -> "{'file_path':%s}";
                };
        String arguments = json.replace('\'', '"').formatted(Json.quote(subject));
        ToolCall call = new ToolCall("1", tool.equals("network") ? "run_command" : tool, arguments);
        return (PreparedCall.Ready<?>) tools.registry.prepare(call, false);
    }
}
