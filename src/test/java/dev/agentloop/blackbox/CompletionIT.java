package dev.agentloop.blackbox;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The Tab key in real shells, which read the script that {@code agent completion} prints. */
@Tag("side-by-side")
class CompletionIT {
    private static final String HOSTILE = "x$(touch pwned)`touch pwned`";

    /** A shell, and what lets it complete a line that ends at the cursor and print the result. */
    enum Shell {
        BASH(
                "bash",
                """
                source <(agent completion bash)
                COMP_LINE=$LINE COMP_POINT=${#LINE}
                read -ra COMP_WORDS <<<"${LINE//[=:]/ & }"
                case $LINE in *' ') COMP_WORDS+=('') ;; esac
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _agent_complete
                printf '%s\\n' "${COMPREPLY[@]}"
                """),
        ZSH(
                "zsh",
                """
                zmodload zsh/zpty
                zpty z zsh -f -i
                zpty -w z "PS1=''; stty -echo; autoload -U compinit; compinit -u -D"
                zpty -w z "source <(agent completion zsh); bindkey '^I' complete-word"
                zpty -w z "setopt no_list_beep auto_menu; show() { print -r -- \\"@\\$BUFFER@\\" }"
                zpty -w z "zle -N show; bindkey '^G' show; print READY-\\$((1 + 1))"
                zpty -r -m z out '*READY-2*'
                zpty -n -w z "$LINE"$'\\t\\a'
                zpty -r -m z out '*@*@*'
                print -r -- $out
                """),
        FISH("fish", "agent completion fish | source; complete -C \"$LINE\"");

        private final String program;
        private final String script;

        Shell(String program, String script) {
            this.program = program;
            this.script = script;
        }

        String complete(World world, String line) throws IOException, InterruptedException {
            Path out = Files.createTempFile(world.root(), "completed", "");
            List<String> words = new ArrayList<>(List.of(program));
            words.addAll(this == ZSH ? List.of("-f") : List.of());
            words.addAll(List.of("-c", script));
            ProcessBuilder builder = new ProcessBuilder(words);
            builder.environment().clear();
            builder.environment().putAll(world.environment());
            builder.environment().put("PATH", path(world));
            builder.environment().put("LINE", line);
            builder.environment().put("TERM", "dumb");
            builder.environment().put("AGENT_NO_WARMUP", "1");
            builder.directory(world.workspace().toFile());
            builder.redirectErrorStream(true).redirectOutput(out.toFile());
            Process process = builder.start();
            process.getOutputStream().close();
            assertTrue(process.waitFor(60, TimeUnit.SECONDS), () -> this + " hangs at " + line);
            return Files.readString(out, StandardCharsets.UTF_8);
        }

        private static String path(World world) throws IOException {
            Path bin = Files.createDirectories(world.root().resolve("bin"));
            if (!Files.exists(bin.resolve("agent"))) {
                Path launcher = Path.of(System.getProperty("agent.launcher", ""));
                Files.createSymbolicLink(bin.resolve("agent"), launcher.toAbsolutePath());
            }
            return bin + ":" + world.environment().get("PATH");
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("the Tab key knows commands, options, values, models, agents, folders and files")
    void values(Shell shell) throws Exception {
        try (World world = World.withoutModel().config("agents: {docs: {prompt: Write docs.}}\n")) {
            world.file("notes.yaml", "").file("sub/a", "").prepare();
            List<String[]> lines =
                    List.of(
                            new String[] {"agent sess", "sessions"},
                            new String[] {"agent run --max-st", "--max-steps"},
                            new String[] {"agent run --effort=me", "medium"},
                            new String[] {"agent -m demo/", "demo/scripted"},
                            new String[] {
                                "agent run --fallback-model demo/scripted,can", "canary/model"
                            },
                            new String[] {"agent run -a do", "docs"},
                            new String[] {"agent -C su", "sub"},
                            new String[] {"agent eval not", "notes.yaml"},
                            new String[] {"agent run --config=not", "notes.yaml"});
            for (String[] line : lines) {
                String completed = shell.complete(world, line[0]);
                assertTrue(completed.contains(line[1]), line[0] + ": " + completed);
            }
            assertFalse(shell.complete(world, "agent -C not").contains("notes.yaml"));
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a name that a shell would run is only text; a broken configuration is silence")
    void hostile(Shell shell) throws Exception {
        String model =
                "{protocol: openai-chat, base_url: 'http://127.0.0.1:9/v1', models: {'"
                        + HOSTILE
                        + "': {context_window: 9000}}}";
        try (World world = World.withoutModel()) {
            world.file("evil.yaml", "providers: {evil: " + model + "}\n");
            world.file("broken.yaml", "nonsense: [\n").prepare();
            String completed = shell.complete(world, "agent run -c evil.yaml -m evil/");
            assertTrue(completed.contains("evil/x"), completed);
            assertFalse(world.exists("pwned"));
            String broken = shell.complete(world, "agent run -c broken.yaml -m demo/");
            assertFalse(broken.contains("scripted"), broken);
            String still = shell.complete(world, "agent run -c broken.yaml --effort me");
            assertTrue(still.contains("medium"), still);
        }
    }
}
