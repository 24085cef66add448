package dev.agentloop.sandbox;

import dev.agentloop.control.ParallelTask;
import dev.agentloop.sandbox.kernel.ProcessPlace;
import dev.agentloop.sandbox.watch.Watches;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One bubblewrap with a shell in it that waits for its command. When the command is there before,
 * it is simply the first thing that the shell reads.
 *
 * @param place where its processes are
 * @param environment variables that it adds
 * @param files that it leaves in the run's folder
 * @param held the mounts, and what must stay on the disk for them
 * @param look the mounts as they would be now
 * @param gitSettings what commands tell git by variables, since they cannot write its settings
 */
record BwrapCell(
        List<String> argv,
        boolean network,
        ProcessPlace place,
        Map<String, String> environment,
        RunFiles files,
        MountedPlaceholders.Held held,
        Supplier<BwrapMounts.Now> look,
        Watches watches,
        Supplier<Map<String, String>> gitSettings)
        implements PreparedSandbox {
    private static final long UP_MILLIS = 20; // what is slower than that gains nothing
    private static final Pattern CHILD = Pattern.compile("\"child-pid\":\\s*(\\d+)");
    private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");
    private static final Charset BYTES = StandardCharsets.ISO_8859_1; // paths may be no text at all
    private static final int MOUNT_POINT = 4; // field of a line of mountinfo

    /**
     * Files in the folder of the run.
     *
     * @param status in which the shell tells what happens
     * @param info in which bubblewrap tells the number of its child
     * @param options of bubblewrap
     */
    record RunFiles(Path status, Path info, Path options) {}

    /**
     * Into a cell whose mounts are known to be those of this moment.
     *
     * @param before what was there; forgotten by the caller if there is no command
     */
    BwrapCommand command(Order order, Watches.Before before) throws IOException {
        Map<String, String> git = gitSettings.get();
        byte[] words = ShellOrder.of(order.withGitSettings(git)); // an order may be no words at all
        return new BwrapCommand(this, words, git, before);
    }

    /**
     * A mount goes when somebody outside replaces or moves the file below it. So what would be
     * mounted now must be what was mounted, and all of it must still be there.
     */
    @Override
    public Optional<Confined> take(Order order, long pid) throws IOException {
        boolean beside = place.space().opened().isPresent(); // others, whom the command sees
        if (!network && order.network() || order.fifo() != null || beside) {
            return Optional.empty();
        }
        ParallelTask<Boolean> fits =
                ParallelTask.start(
                        () -> look.get().arguments().equals(held.now().arguments()) && isUp());
        Watches.Before before = watches.before();
        boolean taken = false;
        try {
            if (!fits.result()) {
                return Optional.empty();
            }
            Optional<Confined> command = Optional.of(command(order, before));
            taken = true;
            return command;
        } finally {
            if (!taken) {
                before.forget();
            }
        }
    }

    @Override
    public void discard() {
        held.release();
        try {
            Files.deleteIfExists(files.status());
            Files.deleteIfExists(files.info());
            Files.deleteIfExists(files.options());
        } catch (IOException e) {
            return; // in a folder of the run, which is removed as a whole
        }
    }

    /** Whether bubblewrap came as far as a process of its own within. */
    boolean hasChild() {
        try {
            return CHILD.matcher(text(files.info())).find();
        } catch (IOException e) {
            return false;
        }
    }

    private boolean isUp() throws IOException {
        Set<String> wanted = new HashSet<>();
        for (String target : held.now().targets()) {
            wanted.add(new String(target.getBytes(StandardCharsets.UTF_8), BYTES));
        }
        long end = System.nanoTime() + UP_MILLIS * 1_000_000;
        while (!mounted().containsAll(wanted)) {
            if (System.nanoTime() > end) {
                return false;
            }
            pause();
        }
        return true;
    }

    /** Where something is mounted in the cell; empty while bubblewrap has not got there. */
    private Set<String> mounted() throws IOException {
        Set<String> points = new HashSet<>();
        Matcher child = CHILD.matcher(text(files.info()));
        if (child.find()) {
            for (String line : text(Path.of("/proc", child.group(1), "mountinfo")).split("\n")) {
                String[] fields = line.split(" ", MOUNT_POINT + 2);
                if (fields.length > MOUNT_POINT) {
                    points.add(unescaped(fields[MOUNT_POINT]));
                }
            }
        }
        return points;
    }

    private static String text(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file, BYTES) : "";
    }

    /** Blanks and backslashes stand there as octal numbers. */
    private static String unescaped(String path) {
        return path.indexOf('\\') < 0
                ? path
                : OCTAL.matcher(path)
                        .replaceAll(found ->
                                Matcher.quoteReplacement(
                                        String.valueOf(
                                                (char) Integer.parseInt(found.group(1), 8))));
    }

    private static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            Thread.onSpinWait(); // at most for a moment
        }
    }
}
