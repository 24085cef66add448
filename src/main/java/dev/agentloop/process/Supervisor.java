package dev.agentloop.process;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A small shell that outlives this program for a moment: when the pipe between them closes and
 * nobody has ended the commands, as after {@code kill -9}, it does. One serves all commands of a
 * runner; it starts before the first one, so that no command is ever without it.
 */
final class Supervisor {
    private static final long GONE_MILLIS = 200; // a killed shell needs less than one
    private static final String SHELL = "/bin/sh";
    private static final String NAME = "agent-supervisor";

    /**
     * TERM, then KILL, to the groups that run and to every process whose environment carries the
     * marker. A group is killed at one blow. A daemon that forks all the time is missed by a single
     * look, because its next process starts after the look has listed {@code /proc}: so each look
     * first reads the next 100 process numbers thirty times over, for some milliseconds, in which a
     * process that lives for one is met several times; where the kernel takes no such long command,
     * it does without. A process that is just becoming another program has no environment for a
     * moment: only five looks in a row that see nobody end the hunt, and a process that was seen
     * counts also if it was gone when it was killed.
     *
     * <p>Placeholders that the record of another living run names stay: it would lose its mounts
     * with them, and removes them itself.
     */
    private static final String SCRIPT =
            """
            trap '' HUP INT QUIT TERM TSTP TTIN TTOU
            groups=' '
            while read -r word pid; do
              case $word in
                start) groups="$groups$pid " ;;
                end) groups="${groups%% $pid *} ${groups#* $pid }" ;;
              esac
            done
            tell_groups() { for pid in $groups; do kill -s "$1" -- "-$pid"; done; }
            next_numbers() {
              read -r _ _ _ _ number </proc/loadavg
              files=
              for _ in $hundred; do
                number=$((number + 1))
                files="$files /proc/$number/environ"
              done
              files="$files$files$files$files$files"
              files="$files$files$files$files$files$files"
            }
            find_marked() { grep -l -s -a -F $now -e "$marker" "$@" /proc/[0-9]*/environ; }
            tell_marked() {
              next_numbers
              [ "$({ find_marked $files || [ $? -lt 126 ] || find_marked; } | while read -r file; do
                file=${file#/proc/}
                kill -s "$1" "${file%/environ}"
                echo told
              done)" ]
            }
            nobody_marked() {
              look=0
              while [ $look -lt 5 ]; do
                if tell_marked KILL; then return 1; fi
                look=$((look + 1))
              done
            }
            now=--line-buffered
            grep -q $now -e . /dev/null
            [ $? = 1 ] || now=
            marker=$1
            ten='. . . . . . . . . .'
            hundred="$ten $ten $ten $ten $ten $ten $ten $ten $ten $ten"
            tell_groups TERM
            if tell_marked TERM || [ "${groups#"${groups%%[0-9]*}"}" ]; then sleep 0.3; fi
            tell_groups KILL
            round=0
            while [ $round -lt 500 ] && ! nobody_marked; do round=$((round + 1)); done
            lives() {
              IFS= read -r stat <"/proc/$1/stat" && case ${stat##*) } in Z* | X*) false ;; esac
            }
            others_need() {
              [ "$(cd -- "$records" && grep -l -s -x -F -e "placeholder $word" -- * |
                while IFS=- read -r _ pid _; do ! lives "$pid" || echo needed; done)" ]
            }
            remove_placeholders() {
              IFS= read -r records
              while IFS= read -r word && IFS= read -r path; do
                if [ "$records" ] && others_need; then continue; fi
                if [ -d "$path" ]; then rmdir -- "$path"
                elif [ -f "$path" ] && [ ! -h "$path" ] && [ ! -s "$path" ]; then rm -f -- "$path"; fi
              done
            }
            if [ -r "$2/placeholders" ]; then remove_placeholders <"$2/placeholders"; fi
            rm -rf -- "$2"
            """;

    private final List<String> argv;
    private final Map<String, String> environment;
    private final Set<Long> groups = new LinkedHashSet<>();
    private @Nullable Process shell;
    private boolean closed;

    /**
     * @param argv {@link #argv}, perhaps behind a program that makes a session of its own
     * @param environment without the marker, or it would end itself
     */
    Supervisor(List<String> argv, Map<String, String> environment) {
        this.argv = argv;
        this.environment = environment;
    }

    /**
     * The shell.
     *
     * @param marker occurs in the environment of every command
     * @param folder to be removed as well, and the empty files and folders that it lists
     */
    static List<String> argv(String marker, Path folder) {
        return List.of(SHELL, "-c", SCRIPT, NAME, marker, folder.toString());
    }

    /**
     * Whether this process is a supervisor, of whatever runner: the shell with our script. Any
     * command can take the name, and the words, but not keep another program from being seen.
     */
    static boolean isOne(long pid) {
        return ProcessTable.runs(pid, SHELL)
                && ProcessTable.hasArguments(pid, List.of(SHELL, "-c", SCRIPT, NAME))
                && !ProcessTable.hasMarker(pid, ProcessRunner.MARKER + "=");
    }

    /** Before each command: starts the shell if there is none, or it was killed. */
    synchronized void ready() {
        if (closed || shell != null && shell.isAlive()) {
            return;
        }
        ProcessBuilder builder = new ProcessBuilder(argv);
        builder.directory(new File("/")); // keeps no folder busy
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(environment);
        try {
            shell = Spawner.start(builder).process();
            groups.forEach(pid -> tell("start " + pid + "\n"));
            var _ = shell.onExit().thenRun(this::revive);
        } catch (IOException e) {
            shell = null; // no process can be started now: the next command tries again
        }
    }

    /** It was killed, not ended by us: commands that run must not be without it. */
    private synchronized void revive() {
        if (!closed && !groups.isEmpty()) {
            ready();
        }
    }

    /** A command leads the process group {@code pid}. */
    synchronized void started(long pid) {
        groups.add(pid);
        tell("start " + pid + "\n");
    }

    /** The command and all that it started are gone: its number may soon be somebody else's. */
    synchronized void ended(long pid) {
        groups.remove(pid);
        tell("end " + pid + "\n");
    }

    /** No command runs any more. Waits: it must not be seen after the end of this program. */
    synchronized void close() {
        closed = true;
        if (shell == null) {
            return;
        }
        shell.destroyForcibly();
        try {
            shell.waitFor(GONE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell(String line) {
        if (shell == null || !shell.isAlive()) {
            return;
        }
        try {
            OutputStream pipe = shell.getOutputStream();
            pipe.write(line.getBytes(StandardCharsets.US_ASCII));
            pipe.flush();
        } catch (IOException e) {
            shell = null; // it was killed: the next command starts another one
        }
    }
}
