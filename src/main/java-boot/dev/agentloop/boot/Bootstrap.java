package dev.agentloop.boot;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Main class of the jar, for {@code java -jar agent.jar}: finds a JDK 25 and runs the product on it
 * as a child, with the flags and the start-up archive a manifest cannot ask for. Written for Java
 * 8, so that any Java can at least say what is missing. It starts a child even when it runs on 25
 * itself: that takes 220 ms to the first request instead of 530 (untuned, no archive).
 *
 * <p>No lambdas and few classes: they are loaded from the jar, without an archive, at every start.
 */
public final class Bootstrap extends Thread implements SignalHandler {
    private static final int CANNOT_START = 3; // "configuration error" in docs/exit-codes.md
    private static final int INTERRUPTED = 130;
    private static final int TERMINATED = 143;
    private static final int KILLED = 137;
    private static final int HEX_IN_ENVIRONMENT = 100_000; // Linux takes 131,072 bytes a variable

    private volatile Process child;
    private boolean interrupted;
    private boolean killed;
    private boolean stopWanted;
    private long lastInterrupt;
    private int inForeground; // interrupts that were not passed on, in a row
    private long firstInForeground;

    private Bootstrap() {}

    public static void main(String[] args) throws Exception {
        Bootstrap bootstrap = new Bootstrap();
        bootstrap.listen();
        Properties build = new Properties();
        try (InputStream in = Bootstrap.class.getResourceAsStream("/build.properties")) {
            build.load(in);
        }
        Jdk jdk = Jdk.find();
        File cache = new File(cacheFolder(), "agent");
        String id = build.getProperty("build.id");
        File archive = new File(cache, id + "-" + jdk.runtimeVersion + "-" + jdk.arch + ".aot");
        File trained = args.length == 1 && args[0].equals("warm-up") ? newArchive(cache) : null;

        List<String> command = new ArrayList<String>();
        command.add(jdk.java());
        addWords(command, build.getProperty("jvm.flags"));
        command.add("-XX:ErrorFile=" + cache + "/hs_err_%p.log");
        if (trained != null) {
            command.add("-XX:AOTCacheOutput=" + trained);
        } else if (archive.canRead()) { // a missing one would cost the JDK's own archive too
            command.add("-XX:AOTCache=" + archive);
        }
        addWords(command, System.getenv("AGENT_JAVA_OPTS"));
        command.add("-Dagent.bootstrapped=true");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add("dev.agentloop.Main");
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        handOver(args, builder);

        int code = bootstrap.runChild(builder);
        if (trained != null) {
            keep(trained, archive, code);
        }
        Runtime.getRuntime().halt(code);
    }

    private static String cacheFolder() {
        String folder = System.getenv("XDG_CACHE_HOME");
        return folder != null && folder.startsWith("/")
                ? folder
                : System.getProperty("user.home") + "/.cache";
    }

    private static void addWords(List<String> command, String words) {
        if (words == null) {
            return;
        }
        for (String word : words.trim().split("\\s+")) {
            if (!word.isEmpty()) {
                command.add(word);
            }
        }
    }

    /**
     * A JVM under LC_ALL=C turns "ñ" into "?" and cannot write it either, so the child gets UTF-8
     * and, where needed, the arguments as the bytes the user typed.
     */
    private static void handOver(String[] args, ProcessBuilder builder) throws IOException {
        Map<String, String> environment = builder.environment();
        // Left over from an agent that started us through a command: not ours.
        environment.remove("AGENT_ARGV_HEX");
        environment.remove("AGENT_ORIG_LC_ALL");
        if (!System.getProperty("sun.jnu.encoding", "").equalsIgnoreCase("UTF-8")) {
            String before = environment.get("LC_ALL");
            environment.put("AGENT_ORIG_LC_ALL", before == null ? "" : before);
            environment.put("LC_ALL", "C.UTF-8");
            String hex = RawArguments.hexOrNull(args.length);
            if (hex != null) {
                environment.put(
                        "AGENT_ARGV_HEX",
                        hex.length() <= HEX_IN_ENVIRONMENT ? hex : RawArguments.file(hex));
                return; // Main reads the variable instead
            }
        }
        Collections.addAll(builder.command(), args);
    }

    // ------------------------------------------------------------------ the child and its signals

    private void listen() {
        for (String name : new String[] {"INT", "TERM", "HUP"}) {
            try {
                Signal.handle(new Signal(name), this);
            } catch (IllegalArgumentException ignoredByParent) {
                // nohup: the signal stays ignored, in the child too
            }
        }
        // For a signal that came before the handlers: Java is on its way out and must leave no
        // child.
        Runtime.getRuntime().addShutdownHook(this);
    }

    private int runChild(ProcessBuilder builder) throws InterruptedException {
        synchronized (this) {
            if (stopWanted) {
                return interrupted ? INTERRUPTED : TERMINATED;
            }
            try {
                child = builder.start();
            } catch (IOException failed) {
                throw fail("cannot start " + builder.command().get(0) + ": " + failed.getMessage());
            }
        }
        int code = child.waitFor();
        synchronized (this) {
            // An interrupt is passed on as TERM; a child that has no handlers yet dies of it.
            boolean byUs = interrupted && (code == TERMINATED || killed && code == KILLED);
            return byUs ? INTERRUPTED : code;
        }
    }

    /** The shutdown hook. The normal end halts and does not come here. */
    @Override
    public synchronized void run() {
        stopWanted = true;
        if (child != null) {
            child.destroy();
        }
    }

    /**
     * Passes signals on as TERM, but not a Ctrl+C: the child has that from the terminal, too, and
     * knows what it means; in a chat it ends a run, and not the chat. A third one within two
     * seconds is passed on all the same, because the child may not have heard the others: nobody
     * can see whether they came from the terminal. Where no terminal can be seen the child may have
     * had the INT all the same, and a second one would mean "at once": hence TERM, and 100 ms
     * later, so that the child sees the first one first. A second INT gives the child a second to
     * go, then kills it.
     */
    @Override
    public void handle(Signal signal) {
        boolean interrupt = signal.getName().equals("INT");
        if (interrupt && child != null && isInForeground() && !isInsistent()) {
            return;
        }
        boolean again = interrupt && noteInterrupt();
        if (!signal.getName().equals("TERM")) {
            pause(again ? 1000 : 100);
        }
        synchronized (this) {
            stopWanted = true;
            killed |= again;
            if (child != null && again) {
                child.destroyForcibly();
            } else if (child != null) {
                child.destroy();
            }
        }
    }

    private synchronized boolean isInsistent() {
        long now = System.nanoTime();
        if (now - firstInForeground > 2_000_000_000L || inForeground == 0) {
            firstInForeground = now;
            inForeground = 0;
        }
        return ++inForeground > 2;
    }

    /** Whether Ctrl+C at the terminal reaches this process and its child; only Linux says it. */
    private static boolean isInForeground() {
        try {
            byte[] stat = Files.readAllBytes(Paths.get("/proc/self/stat"));
            String text = new String(stat, StandardCharsets.ISO_8859_1);
            // Behind the name, which may hold anything: state, parent, group, session, terminal,
            // and the group in its foreground.
            String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ");
            return fields[2].equals(fields[5]);
        } catch (IOException noProc) {
            return false;
        }
    }

    private synchronized boolean noteInterrupt() {
        long now = System.nanoTime();
        boolean again = interrupted && now - lastInterrupt > 250_000_000L;
        interrupted = true;
        lastInterrupt = now;
        return again;
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException ignored) {
            Thread.currentThread().interrupt();
        }
    }

    // ------------------------------------------------------------------ agent warm-up

    private static File newArchive(File cache) throws IOException {
        if (!cache.isDirectory() && !cache.mkdirs()) {
            throw fail("cannot create " + cache);
        }
        return new File(cache, ".train-" + System.nanoTime() + ".aot");
    }

    private static void keep(File trained, File archive, int code) {
        if (code != 0 || !trained.renameTo(archive)) {
            trained.delete();
        }
    }

    /** Ends the process; declared to return something so that callers can say {@code throw}. */
    static RuntimeException fail(String problem) {
        System.err.println("agent: " + problem);
        System.err.flush();
        Runtime.getRuntime().halt(CANNOT_START);
        return new IllegalStateException(problem);
    }
}
