package dev.agentloop.process;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The processes of a Linux machine as {@code /proc} shows them; empty on other systems. */
final class ProcessTable {
    private static final Path PROC = Path.of("/proc");
    private static final int START = 19; // field of stat behind the name, see proc(5)
    private static final int WRAP_TICKS = 100; // hundredths of a second
    private static final int CODE = 23; // likewise
    private static final int STACK = 25;
    private static final long EXEC_NANOS = 50_000;
    private static final int YOUNGEST = 10; // some hundred microseconds
    private static final int SURE = 5; // answers without an environment in a row
    private static final long KERNEL = 2; // parent of the kernel's threads

    /**
     * A process; a zombie has ended and only waits for its parent to ask how.
     *
     * @param start as of {@link #now}
     */
    record Entry(long pid, char state, long parent, long session, long start) {
        boolean isZombie() {
            return state == 'Z' || state == 'X';
        }
    }

    /**
     * The processes at one moment.
     *
     * @param missed whether some ended before they were looked at, or had
     */
    record Look(List<Entry> alive, boolean missed) {}

    private ProcessTable() {}

    static boolean isAvailable() {
        return Files.exists(PROC.resolve("self/stat"));
    }

    /**
     * Living processes that may have started after {@code first}, itself included, oldest first.
     * Plain loops: this runs after each command, and streams cost 10 ms in a fresh JVM.
     *
     * @param since when it was started: numbers are used again, so they alone say nothing
     */
    static Look startedSince(long first, long since) {
        List<Entry> found = new ArrayList<>();
        boolean missed = false;
        String[] names = new File("/proc").list();
        if (names == null) {
            return new Look(found, false);
        }
        long lowest = mayHaveWrapped(first, since) ? 1 : first;
        for (int each = names.length - 1; each >= 0; each--) { // the newest are the soonest gone
            String name = names[each];
            long pid = Character.isDigit(name.charAt(0)) ? Long.parseLong(name) : -1;
            if (pid < lowest) {
                continue;
            }
            Entry entry = entry(pid);
            if (entry == null || entry.isZombie()) {
                missed = true;
            } else if (entry.start() >= since) {
                found.add(entry);
            }
        }
        Collections.reverse(found);
        return new Look(found, missed);
    }

    /**
     * Living processes among the last numbers given out, at once: who forks and ends all the time
     * is gone before a look at the whole table reaches it.
     */
    static Look youngest(long since) {
        List<Entry> found = new ArrayList<>();
        long newest = newest();
        for (long pid = Math.max(1, newest - YOUNGEST); pid <= newest; pid++) {
            Entry entry = entry(pid);
            if (entry != null && !entry.isZombie() && entry.start() >= since) {
                found.add(entry);
            }
        }
        return new Look(found, true);
    }

    /** Null if there is no such process. */
    static @Nullable Entry entry(long pid) {
        String[] fields = fields(pid, START + 2);
        if (fields.length <= START) {
            return null;
        }
        long parent = Long.parseLong(fields[1]);
        long start = Long.parseLong(fields[START]);
        return new Entry(pid, fields[0].charAt(0), parent, Long.parseLong(fields[3]), start);
    }

    /** Those of stat behind the name, which may hold blanks and parentheses; of one gone, none. */
    private static String[] fields(long pid, int atMost) {
        String stat = text(pid, "stat");
        int name = stat.lastIndexOf(')');
        return name < 0 ? new String[0] : stat.substring(name + 2).split(" ", atMost);
    }

    /** Hundredths of a second since the machine started; 0 if the kernel does not tell. */
    static long now() {
        try (FileInputStream in = new FileInputStream("/proc/uptime")) {
            String uptime = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            return Long.parseLong(uptime.substring(0, uptime.indexOf(' ')).replace(".", ""));
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }

    /** Whether the environment that the process was started with contains {@code marker}. */
    static boolean hasMarker(long pid, String marker) {
        return text(pid, "environ").contains(marker);
    }

    /** What a process says of whose it is. */
    enum Marked {
        YES,
        NO,
        /** It has given its memory back, or is still becoming another program. */
        UNKNOWN
    }

    /**
     * As {@link #hasMarker} for a process that may just be becoming another program: for some
     * microseconds, on a busy machine for milliseconds, it has memory but no environment. Then it
     * is asked again.
     *
     * @param patience of {@link System#nanoTime}, after which it is not asked any more
     */
    static Marked marked(Entry entry, String marker, long patience) {
        long pid = entry.pid();
        int without = 0;
        String before = program(pid);
        while (without < SURE) {
            String environment = text(pid, "environ");
            if (!environment.isEmpty()) {
                return environment.contains(marker) ? Marked.YES : Marked.NO;
            }
            if (pid == KERNEL || entry.parent() == KERNEL) { // its threads never had memory
                return Marked.NO;
            }
            if (!hasMemory(pid) || System.nanoTime() > patience) {
                return Marked.UNKNOWN;
            }
            String after = program(pid);
            without = !after.isEmpty() && after.equals(before) ? without + 1 : 0;
            before = after;
            LockSupport.parkNanos(EXEC_NANOS);
        }
        return Marked.NO;
    }

    /**
     * Where the code and the stack of its program begin, another place each time; empty for one
     * that is not complete: the kernel sets them after the environment.
     */
    private static String program(long pid) {
        String[] fields = fields(pid, STACK + 2);
        boolean complete = fields.length > STACK && !fields[CODE].equals("0");
        return complete ? fields[CODE] + " " + fields[STACK] : "";
    }

    private static boolean hasMemory(long pid) {
        String pages = text(pid, "statm");
        return !pages.isEmpty() && !pages.startsWith("0 ");
    }

    /** Whether the words that the process was started with begin with these, plain ASCII. */
    static boolean hasArguments(long pid, List<String> words) {
        return text(pid, "cmdline").startsWith(String.join("\0", words) + "\0");
    }

    /** Whether the process runs this program of the machine now. */
    static boolean runs(long pid, String program) {
        try {
            return Path.of(program).toRealPath().equals(link(PROC.resolve(pid + "/exe")));
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * The command line for people; the name of the program where there is none, as in the moment in
     * which one program replaces another; empty for a process that is gone.
     */
    static String command(long pid) {
        String arguments = text(pid, "cmdline").replace('\0', ' ').strip();
        String line = arguments.isEmpty() ? text(pid, "comm").strip() : arguments;
        return OutputText.clean(line.length() > 80 ? line.substring(0, 80) + "…" : line);
    }

    static boolean worksIn(long pid, Path directory) {
        return directory.equals(link(PROC.resolve(pid + "/cwd")));
    }

    /** Where the two outputs lead, e.g. {@code pipe:[1234] pipe:[1235]}. */
    static String outputPipes(long pid) {
        return link(PROC.resolve(pid + "/fd/1")) + " " + link(PROC.resolve(pid + "/fd/2"));
    }

    static boolean holdsAny(long pid, String pipes) {
        try (DirectoryStream<Path> open = Files.newDirectoryStream(PROC.resolve(pid + "/fd"))) {
            for (Path descriptor : open) {
                String target = String.valueOf(link(descriptor));
                if (target.startsWith("pipe:") && pipes.contains(target)) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return false; // not ours to look at, or just gone
        }
        return false;
    }

    /**
     * Pids start again at the bottom when the kernel has used them up, and may be above {@code
     * first} again by now: no machine uses them all up in a second.
     */
    private static boolean mayHaveWrapped(long first, long since) {
        return newest() < first || now() - since > WRAP_TICKS;
    }

    /**
     * Whether no process, and no thread, was started anywhere since {@code pid}: then it has left
     * nothing behind, and the table, a file for each process, need not be read.
     */
    static boolean nothingStartedSince(long pid) {
        return newest() == pid;
    }

    /** The number given out last, to a process or a thread; -1 if the kernel does not tell. */
    static long newest() {
        try (FileInputStream in = new FileInputStream("/proc/loadavg")) {
            String load = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1).strip();
            return Long.parseLong(load.substring(load.lastIndexOf(' ') + 1));
        } catch (IOException | NumberFormatException e) {
            return -1;
        }
    }

    private static @Nullable Path link(Path link) {
        try {
            return Files.readSymbolicLink(link);
        } catch (IOException e) {
            return null;
        }
    }

    /** A plain stream: a channel is three times the work in a fresh JVM. */
    private static String text(long pid, String file) {
        try (FileInputStream in = new FileInputStream("/proc/" + pid + "/" + file)) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // the process ended meanwhile, or belongs to somebody else
        }
    }
}
