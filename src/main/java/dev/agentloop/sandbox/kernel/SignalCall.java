package dev.agentloop.sandbox.kernel;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * System calls that send a signal to a process or thread, or have the kernel send it one. Landlock
 * lets a command signal all that is in its sandbox. So are the threads of this program that start
 * commands, and a signal to one of them would end this program.
 */
enum SignalCall {
    KILL(62, 129, 0),
    TKILL(200, 130, 0),
    TGKILL(234, 131, 1),
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
    boolean isForUs(long[] arguments) {
        int thread = (int) arguments[target];
        return thread > 0 && Files.exists(OWN_THREADS.resolve(Integer.toString(thread)));
    }
}
