package dev.agentloop.sandbox.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * System calls that send a signal to a process or thread, or have the kernel send it one. Landlock
 * lets a command signal all that is in its sandbox. So are the threads of this program that start
 * commands, and a signal to one of them would end this program.
 */
enum SignalCall {
    KILL(62, 129, 0),
    TKILL(200, 130, 0),
    TGKILL(234, 131, 1), // the process stands before the thread
    RT_SIGQUEUEINFO(129, 138, 0),
    RT_TGSIGQUEUEINFO(297, 240, 1),
    PIDFD_OPEN(434, 434, 0),
    FCNTL(72, 25, 2); // of its orders only F_SETOWN is asked for

    private static final Path OWN_THREADS = Path.of("/proc/self/task");

    private final int x86;
    private final int arm;
    private final int target; // which argument

    SignalCall(int x86, int arm, int target) {
        this.x86 = x86;
        this.arm = arm;
        this.target = target;
    }

    /** Its number on x86-64 or arm64. */
    int number(boolean onX86) {
        return onX86 ? x86 : arm;
    }

    /** Those that are asked for whatever their arguments are. */
    static Set<SignalCall> ofSignals() {
        return EnumSet.complementOf(EnumSet.of(FCNTL));
    }

    static Optional<SignalCall> of(int number, boolean onX86) {
        for (SignalCall call : values()) {
            if (call.number(onX86) == number) {
                return Optional.of(call);
            }
        }
        return Optional.empty();
    }

    /** Whether it is meant for a thread of this program. */
    private boolean isForUs(long[] arguments) {
        int thread = (int) arguments[target];
        return thread > 0 && Files.exists(OWN_THREADS.resolve(Integer.toString(thread)));
    }

    /**
     * Answers such calls. The number of a thread that ends is given to a new one, perhaps of this
     * program, and the kernel looks a number up when it makes the call, after it was judged here.
     * So it makes only those itself whose number cannot change its meaning: that of the process
     * that asks, of a group, or of a thread together with its process. The others are made here,
     * through a descriptor of the process, by a thread that may signal what the command may.
     */
    static final class Answers implements AutoCloseable {
        private static final int PIDFD_OPEN_NUMBER = PIDFD_OPEN.x86;
        private static final int PIDFD_SEND_SIGNAL = 424; // on all machines
        private static final int EPERM = 1;
        private static final int ENOENT = 2;
        private static final int ESRCH = 3;
        private static final int EINVAL = 22;
        private static final String PROCESS = "Tgid:";

        private final ExecutorService sender =
                Executors.newSingleThreadExecutor(work -> {
                    Thread thread = new Thread(work, "signal sender");
                    thread.setDaemon(true);
                    return thread;
                });
        private @Nullable SystemCalls kernel; // of that thread

        /** The sender is a child of this thread: it inherits its rules, and no filter set later. */
        Answers() throws IOException {
            try {
                sender.submit(() -> kernel = new SystemCalls()).get();
            } catch (ExecutionException e) {
                throw new IOException("no thread to send signals", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }

        /**
         * The result of a call, negative for an error; empty if the kernel is to make it.
         *
         * @param asker the thread that makes it
         */
        OptionalLong of(SignalCall call, long[] arguments, int asker) {
            int number = (int) arguments[call.target];
            if (call.isForUs(arguments)) {
                return OptionalLong.of(-EPERM);
            }
            boolean itself = number <= 0 || number == asker || number == processOf(asker);
            return switch (call) {
                case KILL -> itself ? OptionalLong.empty() : send(number, (int) arguments[1]);
                case TKILL -> itself ? OptionalLong.empty() : sendTo(number, (int) arguments[1]);
                case TGKILL, RT_TGSIGQUEUEINFO ->
                        isOurProcess((int) arguments[0])
                                ? OptionalLong.of(-EPERM)
                                : OptionalLong.empty();
                case RT_SIGQUEUEINFO, FCNTL ->
                        itself ? OptionalLong.empty() : OptionalLong.of(-EPERM);
                case PIDFD_OPEN -> OptionalLong.empty(); // no signal goes through it
            };
        }

        private static boolean isOurProcess(int number) {
            return number == ProcessHandle.current().pid();
        }

        /** The process of a thread; -1 if there is none. */
        private static int processOf(int thread) {
            try {
                for (String line : Files.readAllLines(Path.of("/proc/" + thread + "/status"))) {
                    if (line.startsWith(PROCESS)) {
                        return Integer.parseInt(line.substring(PROCESS.length()).strip());
                    }
                }
            } catch (IOException e) {
                return -1;
            }
            return -1;
        }

        /** To a process; only its first thread can be opened so, which none of ours is. */
        private OptionalLong send(int process, int signal) {
            return made(() -> {
                long opened = call(PIDFD_OPEN_NUMBER, process);
                if (opened == -EINVAL || opened == -ENOENT) { // the number of another thread
                    int first = processOf(process);
                    opened = isOurProcess(first) ? -EPERM : call(PIDFD_OPEN_NUMBER, first);
                }
                if (opened < 0) {
                    return opened;
                }
                try {
                    return call(PIDFD_SEND_SIGNAL, opened, signal);
                } finally {
                    call(kernel().numbers().close(), opened);
                }
            });
        }

        /** To a thread, named together with its process: so it is never one of ours. */
        private OptionalLong sendTo(int thread, int signal) {
            int process = processOf(thread);
            if (process < 0 || isOurProcess(process)) {
                return OptionalLong.of(process < 0 ? -ESRCH : -EPERM);
            }
            return made(
                    () -> call(TGKILL.number(kernel().numbers().onX86()), process, thread, signal));
        }

        private SystemCalls kernel() {
            return Objects.requireNonNull(kernel);
        }

        private long call(int number, long... arguments) {
            return kernel().call(number, arguments);
        }

        private OptionalLong made(Callable<Long> call) {
            try {
                return OptionalLong.of(sender.submit(call).get());
            } catch (ExecutionException e) {
                return OptionalLong.of(-EPERM);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return OptionalLong.of(-EPERM);
            }
        }

        @Override
        public void close() {
            sender.execute(() -> kernel().close());
            sender.shutdown();
        }
    }
}
