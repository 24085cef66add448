package dev.agentloop.blackbox;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How a process of the program is started: by what, with which standard streams. */
public final class Launch {
    /** Whoever runs the tests may have ignored some, as nohup does. */
    private static final List<String> DEFAULT_SIGNALS =
            List.of("env", "--default-signal=INT,TERM,HUP,QUIT,PIPE");

    private static final String STANDARD_FLAGS = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1";

    private final World world;
    private Starter starter = Starter.CLASS;
    private String redirections = "";
    private String input = "";
    private String copy = "";
    private boolean openInput;
    private List<String> prefix = List.of();
    private List<String> more = List.of(); // flags of the JVM
    private Output output = Output.READ;

    /** What is started. */
    public enum Starter {
        /** The main class on the jar, as scripts/agent starts it: JVM flags, start-up archive. */
        CLASS,
        /** {@code java -jar}. */
        JAR,
        /** {@code scripts/agent}. */
        SCRIPT
    }

    /** Where standard output goes. */
    enum Output {
        /** Somebody reads it as it comes. */
        READ,
        /** Nobody reads it before the test says so. */
        HELD,
        /** To a file, another program, nowhere. */
        ELSEWHERE,
        /** To a terminal, where standard error goes as well. */
        TERMINAL
    }

    Launch(World world) {
        this.world = world;
    }

    public Launch by(Starter other) {
        starter = other;
        return this;
    }

    /** Starts it by this command, which gets the program's own words behind its own. */
    public Launch under(List<String> command) {
        prefix = command;
        return this;
    }

    /** One more flag of the JVM; only {@link Starter#CLASS} has room for one. */
    public Launch jvm(String flag) {
        more = List.of(flag);
        return this;
    }

    /** Another file of the program than the one that was built. */
    Launch jar(Path file) {
        copy = file.toString();
        return this;
    }

    /** Standard input is a pipe with this text and then its end. */
    public Launch stdin(String text) {
        input = text;
        return this;
    }

    /** Standard input is a pipe that stays open and silent. */
    public Launch idleStdin() {
        openInput = true;
        return this;
    }

    /** Nobody reads standard output until the test says so. */
    public Launch heldOutput() {
        output = Output.HELD;
        return this;
    }

    /** Redirections in the words of the shell; what goes elsewhere is not checked. */
    public Launch shell(String words) {
        redirections = words;
        output = words.contains(">") || words.contains("|") ? Output.ELSEWHERE : output;
        return this;
    }

    /**
     * All three standard streams are a terminal, made by {@code script} (Debian: bsdutils), in a
     * session of its own. What it shows is the process's standard output.
     */
    public Launch terminal() {
        output = Output.TERMINAL;
        openInput = true;
        world.env("TERM", "xterm");
        return this;
    }

    /** {@code agent run} until its end. */
    public Ended run(String... words) {
        return start(World.runWords(words)).ended();
    }

    public AgentProcess startRun(String... words) {
        return start(World.runWords(words));
    }

    public AgentProcess start(String... words) {
        world.enterEnemyTerritory();
        world.prepare();
        ProcessBuilder builder = new ProcessBuilder(command(words));
        builder.directory(world.workspace().toFile());
        builder.environment().clear();
        builder.environment().putAll(world.environment());
        if (starter == Starter.SCRIPT) {
            builder.environment().put("AGENT_NO_WARMUP", "1");
            builder.environment().put("AGENT_NO_BUILD", "1");
            builder.environment().put("AGENT_JAVA", System.getProperty("java.home"));
        }
        if (input.isEmpty() && !openInput) {
            builder.redirectInput(new File("/dev/null"));
        }
        try {
            AgentProcess process = new AgentProcess(world, List.of(words), builder.start(), output);
            if (!openInput) {
                process.feed(input);
            }
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Program and arguments, for who starts it otherwise. */
    List<String> words(String... arguments) {
        world.enterEnemyTerritory();
        world.prepare();
        return command(arguments);
    }

    /** A parent that ignores signals hands that on, and signal tests would test nothing. */
    private List<String> command(String... words) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(DEFAULT_SIGNALS);
        if (!redirections.isEmpty()) {
            String exec = redirections.contains("|") ? "" : "exec ";
            command.addAll(List.of("bash", "-c", exec + "\"$@\" " + redirections, "agent"));
        }
        command.addAll(program());
        command.addAll(List.of(words));
        return output == Output.TERMINAL ? inTerminal(command) : command;
    }

    /** With a shell that survives Ctrl-C, to look at the terminal afterwards. */
    private List<String> inTerminal(List<String> command) {
        String quoted =
                command.stream()
                        .map(word -> "'" + word.replace("'", "'\\''") + "'")
                        .collect(Collectors.joining(" "));
        String script =
                "trap : INT; stty -a > %s; %s; code=$?; stty -a > %s; exit $code"
                        .formatted(
                                world.terminalModes("before"),
                                quoted,
                                world.terminalModes("after"));
        List<String> all = new ArrayList<>(DEFAULT_SIGNALS); // the shell, too, must hear a hangup
        all.addAll(List.of("script", "-q", "-e", "-c", script, "/dev/null"));
        return all;
    }

    private List<String> program() {
        String jar = copy.isEmpty() ? System.getProperty("agent.jar", "") : copy;
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return switch (starter) {
            case SCRIPT -> List.of(System.getProperty("agent.launcher", ""));
            case JAR -> List.of(java, "-jar", jar);
            case CLASS -> {
                Properties build = build();
                List<String> all = new ArrayList<>(List.of(java));
                all.addAll(List.of(flags(build).split(" ")));
                if (copy.isEmpty()) {
                    archive(build).ifPresent(file -> all.add("-XX:AOTCache=" + file));
                }
                all.addAll(more);
                all.addAll(List.of("-cp", jar, "dev.agentloop.Main"));
                yield all;
            }
        };
    }

    /** The start-up archive of this build: one of an earlier build would run its old classes. */
    private static Optional<Path> archive(Properties build) {
        Path folder = Path.of(System.getProperty("agent.archives", "/nonexistent"));
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        String name = build.getProperty("build.id", "none") + "-";
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(name)).findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String flags(Properties build) {
        String flags = build.getProperty("jvm.flags", "");
        return flags.isEmpty() || flags.contains("$") ? STANDARD_FLAGS : flags;
    }

    private static Properties build() {
        Properties build = new Properties();
        try (InputStream in = Launch.class.getResourceAsStream("/build.properties")) {
            if (in != null) {
                build.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return build;
    }
}
