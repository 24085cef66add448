package dev.agentloop.wiring;

import dev.agentloop.hook.HookCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The sample project of {@code demo/scripted}: copied into a new folder, with a hook and rules. */
public final class DemoProject {
    private static final List<String> FILES = List.of("README.md", "sum.sh", "test.sh");

    /** The hook that finds the script's deliberate typo. */
    static final List<HookCommand> HOOKS =
            List.of(
                    new HookCommand(
                            "syntax-check",
                            "sh -n {file}",
                            List.of("*.sh"),
                            Duration.ofSeconds(10)));

    /** Exactly what the script does in its own folder; everything else is asked as usual. */
    static final List<String> ALLOWED = List.of("edit_file(sum.sh)", "run_command(sh test.sh)");

    private DemoProject() {}

    /** Copies the project into a new folder below the system's temporary folder. */
    public static Path create() throws IOException {
        Path folder = Files.createTempDirectory("agent-demo-");
        for (String file : FILES) {
            Files.writeString(folder.resolve(file), Prompts.resource("/demo/" + file));
        }
        return folder;
    }
}
