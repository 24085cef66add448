package dev.agentloop.sandbox;

import dev.agentloop.sandbox.kernel.SeccompFilter;
import dev.agentloop.sandbox.watch.Boundaries;
import dev.agentloop.sandbox.watch.HiddenPaths;
import dev.agentloop.sandbox.watch.RunRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which sandbox works here by starting something in it. A success is remembered until the
 * machine starts anew or bubblewrap changes; a failure is looked at again each time.
 */
public final class SandboxProbe {
    private static final long PATIENCE_SECONDS = 5; // it takes 20 ms
    private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin"; // if there is none
    private static final int MAX_TROUBLE = 200; // characters told
    private static final String REMEDY = "install bubblewrap (apt-get install bubblewrap)";

    private final Path cache;
    private final Boundaries boundaries;

    /**
     * @param cache file that remembers what worked
     */
    public SandboxProbe(Path cache, Boundaries boundaries) {
        this.cache = cache;
        this.boundaries = boundaries;
    }

    /**
     * What works.
     *
     * @param program bubblewrap, if that is it
     * @param trouble why it is not bubblewrap, and what to do, and what this kernel's Landlock lets
     *     through; empty if there is nothing to say
     */
    public record Found(Tier tier, Optional<Path> program, String trouble) {
        /** For commands that must stay within these. */
        public Sandbox within(Boundaries boundaries) {
            return within(boundaries, RunRecord.NONE);
        }

        /**
         * The same, which leaves a record of what is to be cleaned up if this program is killed.
         *
         * @param records folder for such records, see {@link Leftovers}
         */
        public Sandbox within(Boundaries boundaries, Path records) {
            return within(boundaries, RunRecord.of(records, boundaries));
        }

        private Sandbox within(Boundaries boundaries, RunRecord record) {
            return switch (tier) {
                case BWRAP -> new BwrapSandbox(program.orElseThrow(), boundaries, record);
                case LANDLOCK -> new LandlockSandbox(boundaries, record);
                case NONE -> Sandbox.NONE;
            };
        }

        /** No sandbox, and why. */
        public static Found none(String trouble) {
            return new Found(Tier.NONE, Optional.empty(), trouble);
        }
    }

    /** Tries bubblewrap, then Landlock, and says what was found or why neither works. */
    public Found strongest() {
        Found bwrap = bwrap();
        if (bwrap.tier() != Tier.NONE) {
            var _ = marker().toFile().delete();
            return bwrap;
        }
        Found landlock = landlock();
        return landlock.tier() == Tier.NONE
                ? Found.none(bwrap.trouble() + "; " + landlock.trouble())
                : new Found(
                        Tier.LANDLOCK,
                        Optional.empty(),
                        bwrap.trouble()
                                + (landlock.trouble().isEmpty() ? "" : "; ")
                                + landlock.trouble());
    }

    /** Tries bubblewrap alone, for a configuration that names it. */
    public Found bwrap() {
        Optional<Path> program = program();
        if (program.isEmpty()) {
            return Found.none("bwrap is not on the PATH: " + REMEDY);
        }
        Path bwrap = program.get();
        if (SeccompFilter.of(System.getProperty("os.arch"), SeccompFilter.Sockets.NONE).isEmpty()) {
            return Found.none("no system call filter for this kind of machine");
        }
        Found found = new Found(Tier.BWRAP, program, "");
        String key = key("bwrap " + bwrap + " " + changed(bwrap));
        if (text(cache).equals(key)) {
            return found;
        }
        String trouble = trial(found);
        if (!trouble.isEmpty()) {
            return Found.none(
                    bwrap + " does not work here (" + trouble + "): allow user namespaces");
        }
        remember(key);
        return found;
    }

    /** Tries Landlock alone, for a configuration that names it. */
    public Found landlock() {
        Optional<String> missing = LandlockSandbox.trouble();
        if (missing.isPresent()) {
            return Found.none(missing.get());
        }
        Found found = new Found(Tier.LANDLOCK, Optional.empty(), LandlockSandbox.limits());
        String trouble = trial(found);
        if (!trouble.isEmpty()) {
            return Found.none("Landlock does not work here (" + trouble + ")");
        }
        mark();
        return found;
    }

    /**
     * Tells the launcher that native calls are to be expected, of which the JVM warns otherwise.
     */
    private Path marker() {
        return cache.resolveSibling(cache.getFileName() + ".landlock");
    }

    private void mark() {
        try {
            makeFolder();
            Files.createFile(marker());
        } catch (IOException e) {
            return; // it is there, or there will be a warning on standard error
        }
    }

    /** On the user's search path, but none that the workspace or anybody could have put there. */
    private Optional<Path> program() {
        for (String folder : boundaries.environment().getOrDefault("PATH", USUAL_PATH).split(":")) {
            Path file = Path.of(folder.isEmpty() ? "." : folder, "bwrap");
            if (file.isAbsolute() && Files.isExecutable(file)) {
                Path real = HiddenPaths.real(file);
                if (real != null
                        && Files.isRegularFile(real)
                        && !file.normalize().startsWith(boundaries.workspace())
                        && !real.startsWith(boundaries.workspace())) {
                    return Optional.of(real);
                }
            }
        }
        return Optional.empty();
    }

    /** Runs {@code true} in a sandbox of its own folder; what went wrong, or nothing. */
    private String trial(Found found) {
        Path folder = null;
        Sandbox sandbox = Sandbox.NONE;
        try {
            folder =
                    Files.createTempDirectory(
                            "agent-sandbox-",
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rwx------")));
            Path inside = Files.createDirectory(folder.resolve("workspace")).toRealPath();
            Path run = Files.createDirectory(folder.resolve("run")).toRealPath();
            Boundaries small =
                    new Boundaries(
                            inside,
                            boundaries.home(),
                            boundaries.own(),
                            List.of(),
                            Map.of(),
                            false);
            sandbox = found.within(small);
            return start(sandbox.confine(order(inside), run));
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        } finally {
            sandbox.close();
            remove(folder);
        }
    }

    private static Order order(Path cwd) {
        return new Order(List.of("/bin/sh", "-c", "exit 0"), cwd, Map.of(), false);
    }

    private static String start(Confined confined) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(confined.argv());
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin");
        builder.redirectErrorStream(true);
        Process process = start(builder, confined.starter());
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        Optional<String> fault = confined.fault(() -> process.isAlive() && System.nanoTime() < end);
        if (fault.isPresent()) {
            process.destroyForcibly();
            confined.end();
            return fault.get();
        }
        tell(process, confined.input().orElse(new byte[0]));
        try (var output = process.getInputStream()) {
            boolean ended = process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                return "no answer within " + PATIENCE_SECONDS + " s";
            }
            String said =
                    new String(output.readNBytes(MAX_TROUBLE), StandardCharsets.UTF_8).strip();
            boolean works = process.exitValue() == 0 && confined.end().started();
            return works ? "" : said.isEmpty() ? "it did not start" : said;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    private static void tell(Process process, byte[] order) {
        try (var in = process.getOutputStream()) {
            in.write(order);
        } catch (IOException e) {
            return; // it has ended already; its output says why
        }
    }

    private static Process start(ProcessBuilder builder, Optional<ExecutorService> thread)
            throws IOException {
        if (thread.isEmpty()) {
            return builder.start();
        }
        try {
            return thread.get().submit(builder::start).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        }
    }

    private static void remove(@Nullable Path folder) {
        if (folder == null) {
            return;
        }
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            return; // an empty folder more in /tmp
        }
    }

    /** The user as well: another one has other rights in the same home. */
    private static String key(String tier) {
        String user = "";
        for (String line : text(Path.of("/proc/self/status")).split("\n")) {
            if (line.startsWith("Uid:")) {
                user = line;
            }
        }
        String boot = text(Path.of("/proc/sys/kernel/random/boot_id"));
        return "4 " + boot + user + "\n" + namespaces() + "\n" + tier + "\n";
    }

    /** What works on a machine may not in a container of it that has the same folders. */
    private static String namespaces() {
        StringBuilder all = new StringBuilder();
        for (String name : List.of("user", "mnt", "pid")) {
            try {
                all.append(Files.readSymbolicLink(Path.of("/proc/self/ns", name))).append(' ');
            } catch (IOException e) {
                all.append(name).append(' '); // a kernel without it
            }
        }
        return all.toString();
    }

    private static String changed(Path program) {
        try {
            return Files.getLastModifiedTime(program).toString();
        } catch (IOException e) {
            return "";
        }
    }

    private void makeFolder() throws IOException {
        Path parent = cache.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
    }

    private void remember(String key) {
        try {
            makeFolder();
            Path fresh = cache.resolveSibling(cache.getFileName() + "." + System.nanoTime());
            Files.writeString(fresh, key, StandardOpenOption.CREATE_NEW);
            Files.move(fresh, cache, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            return; // then it is found out again
        }
    }

    private static String text(Path file) {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(8192), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
