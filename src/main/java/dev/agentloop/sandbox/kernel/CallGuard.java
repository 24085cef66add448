package dev.agentloop.sandbox.kernel;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/**
 * Makes for sandboxed processes the calls of {@link FileCall}, if the file lies where they may
 * write, those by which they serve and connect on the loopback, and signals to others. The kernel
 * holds such a process and asks (seccomp_unotify(2)); the file is opened here, looked at, and
 * changed through what was opened, so that nothing the process does meanwhile leads elsewhere. The
 * kernel makes the process's own call only if it is a signal whose target cannot change meanwhile
 * ({@link SignalCall}). When this ends, whatever way, the kernel refuses such calls.
 */
public final class CallGuard implements Runnable {
    private static final int SET_FILTER = 1; // of seccomp
    private static final int NEW_LISTENER = 8;
    private static final int UNTIL_ANSWERED = 32; // no signal interrupts who asks; Linux 5.19
    private static final long RECEIVE = 0xc0502100L; // ioctls of linux/seccomp.h
    private static final long SEND = 0xc0182101L;
    private static final long IS_VALID = 0x40082102L;
    private static final long SET_FLAGS = 0x40082104L;
    private static final long SAME_PROCESSOR = 1; // who asks and who answers wait for each other
    private static final int QUESTION = 80; // bytes
    private static final int ANSWER = 24;
    private static final short READABLE = 1; // POLLIN
    private static final int EINTR = 4;
    private static final int EPERM = 1;
    private static final int GO_ON = 1; // the kernel makes the call itself; since Linux 5.5

    /** Those that are asked for. */
    static final List<SocketCall> SOCKET_CALLS =
            List.of(SocketCall.BIND, SocketCall.CONNECT, SocketCall.LISTEN);

    private final int listener;
    private final List<String> writable;
    private final LoopbackServers servers;
    private final SignalCall.Answers signals;

    private CallGuard(
            int listener,
            List<String> writable,
            LoopbackServers servers,
            SignalCall.Answers signals) {
        this.listener = listener;
        this.signals = signals;
        this.writable = writable;
        this.servers = servers;
    }

    /**
     * From now on this thread and what it starts ask. Somebody must run what is returned, on a
     * thread that was not started by this one.
     *
     * @param servers of the run, if the sockets are those of the loopback
     */
    public static CallGuard ofThisThread(
            SystemCalls kernel,
            SeccompFilter.Sockets sockets,
            List<Path> writable,
            LoopbackServers servers)
            throws IOException {
        byte[] code =
                SeccompFilter.guarded(System.getProperty("os.arch"), sockets)
                        .orElseThrow(() -> new IOException("no filter for this machine"));
        MemorySegment instructions = kernel.memory(code.length);
        MemorySegment.copy(code, 0, instructions, ValueLayout.JAVA_BYTE, 0, code.length);
        MemorySegment program = kernel.memory(16);
        program.set(ValueLayout.JAVA_SHORT, 0, (short) (code.length / 8));
        program.set(ValueLayout.JAVA_LONG, 8, instructions.address());
        SignalCall.Answers signals = new SignalCall.Answers(); // before its thread had to ask
        int seccomp = kernel.numbers().seccomp();
        int flags = NEW_LISTENER | UNTIL_ANSWERED; // else it could ask, and be served, twice
        long listener = kernel.call(seccomp, SET_FILTER, flags, program.address());
        if (listener < 0) {
            listener =
                    kernel.must(
                            "seccomp with a listener",
                            seccomp,
                            SET_FILTER,
                            NEW_LISTENER,
                            program.address());
        }
        return new CallGuard(
                (int) listener, writable.stream().map(Names::bytesOf).toList(), servers, signals);
    }

    /** Until the last process that asks has ended. */
    @Override
    public void run() {
        try (SystemCalls kernel = new SystemCalls()) {
            try {
                kernel.dropCapabilities(); // it may do no more than those for whom it does it
                answerAll(kernel);
            } finally {
                kernel.call(kernel.numbers().close(), listener);
                signals.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void answerAll(SystemCalls kernel) {
        SystemCalls.Numbers numbers = kernel.numbers();
        MemorySegment poll = kernel.memory(8);
        MemorySegment question = kernel.memory(QUESTION);
        MemorySegment answer = kernel.memory(ANSWER);
        FileChanges changes = new FileChanges(kernel, writable);
        SocketCalls sockets = new SocketCalls(kernel, servers);
        kernel.call(numbers.ioctl(), listener, SET_FLAGS, SAME_PROCESSOR); // since Linux 6.6
        while (true) {
            poll.set(ValueLayout.JAVA_INT, 0, listener);
            poll.set(ValueLayout.JAVA_SHORT, 4, READABLE);
            poll.set(ValueLayout.JAVA_SHORT, 6, (short) 0);
            long ready = kernel.call(numbers.ppoll(), poll.address(), 1, 0, 0, 0);
            if (ready < 0 && ready != -EINTR) {
                return;
            }
            if (ready <= 0) {
                continue;
            }
            if ((poll.get(ValueLayout.JAVA_SHORT, 6) & READABLE) == 0) {
                return; // nobody is left
            }
            question.fill((byte) 0);
            if (kernel.call(numbers.ioctl(), listener, RECEIVE, question.address()) < 0) {
                continue; // who asked has been killed
            }
            answer.fill((byte) 0);
            answer.set(ValueLayout.JAVA_LONG, 0, question.get(ValueLayout.JAVA_LONG, 0));
            OptionalLong result = result(kernel, changes, sockets, question);
            if (result.isPresent()) {
                answer.set(ValueLayout.JAVA_INT, 16, (int) result.getAsLong());
            } else {
                answer.set(ValueLayout.JAVA_INT, 20, GO_ON);
            }
            kernel.call(numbers.ioctl(), listener, SEND, answer.address());
        }
    }

    private static long[] arguments(MemorySegment question) {
        long[] arguments = new long[6];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = question.get(ValueLayout.JAVA_LONG, 32 + 8L * i);
        }
        return arguments;
    }

    /** Whatever one process asks, the others are answered after it; empty: the kernel makes it. */
    private OptionalLong result(
            SystemCalls kernel, FileChanges changes, SocketCalls sockets, MemorySegment question) {
        try {
            return decide(kernel, changes, sockets, question);
        } catch (RuntimeException | Error e) {
            return OptionalLong.of(-EPERM);
        }
    }

    private OptionalLong decide(
            SystemCalls kernel, FileChanges changes, SocketCalls sockets, MemorySegment question) {
        boolean onX86 = kernel.numbers().onX86();
        int number = question.get(ValueLayout.JAVA_INT, 16);
        long[] arguments = arguments(question);
        int process = question.get(ValueLayout.JAVA_INT, 8);
        BooleanSupplier isWaiting =
                () ->
                        kernel.call(
                                        kernel.numbers().ioctl(),
                                        listener,
                                        IS_VALID,
                                        question.address())
                                == 0;
        Optional<SignalCall> signal = SignalCall.of(number, onX86);
        if (signal.isPresent()) {
            return signals.of(signal.get(), arguments, process);
        }
        for (SocketCall call : SOCKET_CALLS) {
            if (call.number(onX86) == number) {
                return OptionalLong.of(sockets.make(call, arguments, process, isWaiting));
            }
        }
        return OptionalLong.of(
                FileCall.of(number, onX86)
                        .map(call -> changes.make(call, arguments, process, isWaiting))
                        .orElse((long) -EPERM));
    }
}
