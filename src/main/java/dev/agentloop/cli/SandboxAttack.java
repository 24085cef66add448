package dev.agentloop.cli;

/**
 * What a hostile command would try, as text for a shell in the sandbox. It prints ESCAPED where it
 * gets through and UNTESTED where a program is missing; {@code $PID} is a process outside, {@code
 * $PORT} a server outside, {@code $OUTSIDE} a folder outside.
 */
enum SandboxAttack {
    REMOUNT("remount the machine read-write", "mount -o remount,rw / && echo ESCAPED"),
    CORE_PATTERN(
            "have the kernel run a program",
            "f=/proc/sys/kernel/core_pattern; cat $f >$f && echo ESCAPED"),
    DEVICE_NODE("make a device node", "mknod node b 254 0 && echo ESCAPED; rm -f node"),
    DISK(
            "read a disk",
            "for d in /dev/[svh]d? /dev/nvme?n1; do head -c1 $d >/dev/null && echo ESCAPED; done"),
    USER_NAMESPACE("make a user namespace", "unshare -U true && echo ESCAPED"),
    LOCAL_SOCKET("open a local socket", "refused 1 socket 1 1 0"),
    ENVIRONMENT(
            "read a secret of another process",
            "cat /proc/[0-9]*/environ | grep -q -a agent-self-test-cana[r]y && echo ESCAPED"),
    SIGNAL("end a process outside", "kill -KILL $PID && echo tried"),
    TRACE("trace a process outside", "refused 1 ptrace 16 $PID 0"),
    WRITE_OUTSIDE(
            "write outside of the workspace",
            "echo x >>$OUTSIDE/file; rm -f $OUTSIDE/file; ln $OUTSIDE/file l && echo x >>l"),
    TERMINAL("type into the terminal", "refused 1 ioctl 0 21522 0"),
    SYSTEM_REQUEST("give the kernel an order", "echo h >/proc/sysrq-trigger && echo ESCAPED"),
    CGROUP(
            "leave the control group",
            "mkdir /sys/fs/cgroup/agent-self-test && rmdir /sys/fs/cgroup/agent-self-test"
                    + " && echo ESCAPED"),
    DAEMON("leave a process behind", "setsid sleep 7357.25 >/dev/null 2>&1 </dev/null & echo ok"),
    KEYRING("use the kernel's keyring", "refused 1 keyctl 0 -3 0"),
    IO_URING("use io_uring", "refused 1 io_uring 1 0 0"),
    NETWORK(
            "reach a server on this machine",
            "(bash -c 'echo >/dev/tcp/127.0.0.1/'$PORT || exec nc -w1 127.0.0.1 $PORT </dev/null)"
                    + " && echo ESCAPED"),
    HOOK("leave a git hook", "echo x >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit"),
    GIT_SETTING(
            "change what git runs",
            "printf '[core]\\n\\tfsmonitor = ./x\\n' >>.git/config; mv .git old && cp -r old .git"),
    CONTROL_FILE(
            "leave a configuration of ours", "mkdir -p .agent; echo 'x: y' >.agent/config.yaml");

    /** {@code refused ERRNO NAME ARGUMENTS}: a system call must fail with this number. */
    private static final String PRELUDE =
            """
            exec 2>/dev/null
            number() {
              case $(uname -m)/$1 in
                x86_64/socket) echo 41 ;; x86_64/ptrace) echo 101 ;; x86_64/keyctl) echo 250 ;;
                x86_64/ioctl) echo 16 ;; */socket) echo 198 ;; */ptrace) echo 117 ;;
                */keyctl) echo 219 ;; */ioctl) echo 29 ;; */io_uring) echo 425 ;;
              esac
            }
            refused() {
              errno=$1; call=$(number $2); shift 2
              if command -v perl >/dev/null; then
                got=$(perl -e '@n = map { $_ + 0 } @ARGV; $c = shift @n;
                  print syscall($c, @n) < 0 ? $! + 0 : 0' $call "$@")
              elif command -v python3 >/dev/null; then
                got=$(python3 -c 'import ctypes, sys
            c = ctypes.CDLL(None, use_errno=True)
            print(ctypes.get_errno() if c.syscall(*map(int, sys.argv[1:])) < 0 else 0)' $call "$@")
              else
                echo UNTESTED; return
              fi
              [ "$got" = $errno ] || echo ESCAPED
            }
            """;

    private final String meaning;
    private final String script;

    SandboxAttack(String meaning, String script) {
        this.meaning = meaning;
        this.script = script;
    }

    /** For people: what is tried. */
    String meaning() {
        return meaning;
    }

    /** For a shell. */
    String script() {
        return PRELUDE + script + "\n";
    }
}
