package dev.agentloop.sandbox.kernel;

import java.util.Optional;

/**
 * System calls that change a file's mode, owner, times or length by its name or from a descriptor
 * that need not be open for writing. Landlock does not look at them (at the length from its third
 * version on), so {@link CallGuard} makes them for sandboxed processes.
 */
enum FileCall {
    CHMOD(90, -1),
    FCHMOD(91, 52),
    FCHMODAT(268, 53),
    FCHMODAT2(452, 452),
    CHOWN(92, -1),
    LCHOWN(94, -1),
    FCHOWN(93, 55),
    FCHOWNAT(260, 54),
    UTIME(132, -1),
    UTIMES(235, -1),
    FUTIMESAT(261, -1),
    UTIMENSAT(280, 88),
    TRUNCATE(76, 45);

    private final int x86;
    private final int arm;

    FileCall(int x86, int arm) {
        this.x86 = x86;
        this.arm = arm;
    }

    /** Its number on x86-64 or arm64; -1 where there is no such call. */
    int number(boolean onX86) {
        return onX86 ? x86 : arm;
    }

    static Optional<FileCall> of(int number, boolean onX86) {
        for (FileCall call : values()) {
            if (call.number(onX86) == number) {
                return Optional.of(call);
            }
        }
        return Optional.empty();
    }
}
