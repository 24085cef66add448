package dev.agentloop.sandbox.kernel;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The numbers of a machine's system calls.
 *
 * @param audit how the kernel names the machine
 * @param x32 from this number on another set of calls begins; 0 where there is none
 * @param denied refused to every sandboxed process
 */
record Machine(
        boolean onX86,
        int audit,
        int x32,
        Map<String, Integer> denied,
        int fork,
        int socket,
        int socketpair,
        int ioctl,
        int fcntl) {
    /** A call that makes a file: where its flags are, if it needs any for that, and its mode. */
    record Maker(int number, int flags, int mode) {}

    /** Calls with the mode of a new file among their arguments. */
    List<Maker> makers() {
        return onX86
                ? List.of(
                        new Maker(2, 1, 2), // open
                        new Maker(257, 2, 3), // openat
                        new Maker(85, -1, 1), // creat
                        new Maker(133, -1, 1), // mknod
                        new Maker(259, -1, 2)) // mknodat
                : List.of(new Maker(56, 2, 3), new Maker(33, -1, 2));
    }

    /** Calls that change a mode, and which argument it is. */
    Map<FileCall, Integer> modes() {
        return Map.of(
                FileCall.CHMOD, 1, FileCall.FCHMOD, 1, FileCall.FCHMODAT, 2, FileCall.FCHMODAT2, 2);
    }

    /** Calls that change extended attributes and flags of files that are not open for writing. */
    List<Integer> attributes() {
        return onX86
                ? List.of(188, 189, 190, 197, 198, 199, 463, 466, 469)
                : List.of(5, 6, 7, 14, 15, 16, 463, 466, 469);
    }

    /** Memory, semaphores and messages that all processes of a user share (System V, POSIX). */
    List<Integer> sharedBetweenProcesses() {
        return onX86
                ? List.of(29, 30, 31, 64, 65, 66, 68, 69, 70, 71, 220, 240, 241)
                : List.of(180, 181, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196);
    }

    /** Limits and scheduling of the process whose number is the first argument; 0 is its own. */
    List<Integer> ofAnyProcess() {
        return onX86 ? List.of(302, 203, 144, 142, 314) : List.of(261, 122, 119, 118, 274);
    }

    /** Priorities: the number, and which first argument means the process of the second one. */
    Map<Integer, Integer> priorities() {
        return onX86 ? Map.of(141, 0, 251, 1) : Map.of(140, 0, 30, 1);
    }

    /** Numbers of both machines: those above 423 are the same everywhere. */
    private static Map<String, Integer> common() {
        Map<String, Integer> calls = new LinkedHashMap<>();
        calls.put("io_uring_setup", 425);
        calls.put("io_uring_enter", 426);
        calls.put("io_uring_register", 427);
        calls.put("open_tree", 428);
        calls.put("move_mount", 429);
        calls.put("fsopen", 430);
        calls.put("fsconfig", 431);
        calls.put("fsmount", 432);
        calls.put("fspick", 433);
        calls.put("pidfd_getfd", 438);
        calls.put("mount_setattr", 442);
        return calls;
    }

    /** From asm/unistd_64.h. */
    static Machine x86() {
        Map<String, Integer> denied = common();
        denied.put("ptrace", 101);
        denied.put("syslog", 103);
        denied.put("pivot_root", 155);
        denied.put("acct", 163);
        denied.put("mount", 165);
        denied.put("umount2", 166);
        denied.put("swapon", 167);
        denied.put("swapoff", 168);
        denied.put("reboot", 169);
        denied.put("init_module", 175);
        denied.put("delete_module", 176);
        denied.put("kexec_load", 246);
        denied.put("add_key", 248);
        denied.put("request_key", 249);
        denied.put("keyctl", 250);
        denied.put("unshare", 272);
        denied.put("perf_event_open", 298);
        denied.put("open_by_handle_at", 304);
        denied.put("setns", 308);
        denied.put("process_vm_readv", 310);
        denied.put("process_vm_writev", 311);
        denied.put("kcmp", 312);
        denied.put("finit_module", 313);
        denied.put("kexec_file_load", 320);
        denied.put("bpf", 321);
        denied.put("userfaultfd", 323);
        return new Machine(true, 0xc000003e, 0x40000000, denied, 56, 41, 53, 16, 72);
    }

    /** From asm-generic/unistd.h. */
    static Machine arm() {
        Map<String, Integer> denied = common();
        denied.put("umount2", 39);
        denied.put("mount", 40);
        denied.put("pivot_root", 41);
        denied.put("acct", 89);
        denied.put("unshare", 97);
        denied.put("kexec_load", 104);
        denied.put("init_module", 105);
        denied.put("delete_module", 106);
        denied.put("syslog", 116);
        denied.put("ptrace", 117);
        denied.put("reboot", 142);
        denied.put("add_key", 217);
        denied.put("request_key", 218);
        denied.put("keyctl", 219);
        denied.put("swapon", 224);
        denied.put("swapoff", 225);
        denied.put("perf_event_open", 241);
        denied.put("open_by_handle_at", 265);
        denied.put("setns", 268);
        denied.put("process_vm_readv", 270);
        denied.put("process_vm_writev", 271);
        denied.put("kcmp", 272);
        denied.put("finit_module", 273);
        denied.put("bpf", 280);
        denied.put("userfaultfd", 282);
        denied.put("kexec_file_load", 294);
        return new Machine(false, 0xc00000b7, 0, denied, 220, 198, 199, 29, 25);
    }
}
