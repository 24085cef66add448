package dev.agentloop;

import dev.agentloop.cli.BootstrapWatch;
import dev.agentloop.cli.Cli;
import dev.agentloop.cli.LaunchArguments;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.terminal.Streams;
import java.nio.file.Path;

/** Where the process begins and ends. */
public final class Main {
    private Main() {}

    /**
     * Ends by halt: no thread that is stuck in a read may hold the exit (300 ms each). The training
     * run of the start-up archive is the exception, because the archive is written at a normal
     * exit.
     */
    public static void main(String[] args) {
        // Else the first tool's arguments cost 12 ms more: a method handle instead of plain
        // reflection.
        System.setProperty("jdk.reflect.useNativeAccessorOnly", "true");
        BootstrapWatch.start();
        String[] words = LaunchArguments.of(args, System.getenv());
        Invocation invocation =
                new Invocation(
                        Streams.ofProcess(),
                        System.getenv(),
                        Path.of("").toAbsolutePath(),
                        home(),
                        true);
        int code = Cli.run(words, invocation);
        if (words.length > 0 && words[0].equals("warm-up")) {
            System.exit(code);
        }
        Runtime.getRuntime().halt(code);
    }

    /** HOME as the shell knows it; Java itself asks the password file, which may differ. */
    private static Path home() {
        String home = System.getenv().getOrDefault("HOME", "");
        return Path.of(home.startsWith("/") ? home : System.getProperty("user.home"));
    }
}
