package dev.agentloop.tool.builtin.command;

import dev.agentloop.process.CommandOutcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Tells a model whose command has failed because of the sandbox what it can do. */
final class SandboxHint {
    private static final String NETWORK =
            "\n\n[Commands have no network in the sandbox. If this one needs it, call run_command"
                    + " again with network: true.]";

    /** What programs say then, in lower case: C libraries, Java, Node, Go, Python, git, npm. */
    private static final List<String> COMPLAINTS =
            List.of(
                    "could not resolve",
                    "couldn't resolve",
                    "could not be resolved",
                    "name or service not known",
                    "name resolution",
                    "nodename nor servname",
                    "no such host",
                    "unknown host",
                    "unknownhostexception",
                    "getaddrinfo",
                    "eai_again",
                    "enotfound",
                    "dial tcp",
                    "enetunreach",
                    "network is unreachable",
                    "no route to host",
                    "dns error");

    private static final String CACHE =
            "\n\n[Caches and settings in the home are read-only in the sandbox. Give the tool a folder"
                    + " below $TMPDIR for this, with its own variable or option: for example"
                    + " npm_config_cache=$TMPDIR/npm npm install ./x.tgz.]";

    private static final String MAVEN =
            "\n\n[~/.m2/settings.xml holds something like a password, so commands cannot read it."
                    + " mvn -s FILE takes other settings: a file with only <settings/> in it is enough"
                    + " where no server asks for a login.]";

    private static final Pattern REFUSED =
            Pattern.compile("erofs|eacces|read-only file system|permission denied");

    /** A line that names a place of a cache, as tools complain about it. */
    private static final Pattern OF_CACHE =
            Pattern.compile(
                    "/\\.(npm|cache|m2|gradle|cargo|rustup|yarn|pnpm-store|bun|nuget|dotnet|ivy2|sbt"
                            + "|composer|gem|bundle|pub-cache|deno|konan|local/share)/|/go/pkg/");

    /** npm names the place in a line of its own; its log is written as far as it can be. */
    private static final Pattern NPM_PATH = Pattern.compile("^npm err.*/\\.npm/(?!_logs)");

    private static final String OWN_LOOPBACK =
            "\n\n[On this machine each command has a loopback of its own: start the server and what"
                    + " uses it in one command.]";

    private static final String OTHER_NETWORK =
            "\n\n[With network: true a command has the machine's network, and servers of the run's"
                    + " other commands are not in it. Call it without.]";

    private static final String RUNS_LOOPBACK =
            "\n\n[In the sandbox commands reach only servers that commands of this run have started. For"
                    + " one that runs on the machine call run_command again with network: true.]";

    private static final String OTHER_PROCESSES =
            "\n\n[This command can neither see nor end the processes of another one."
                    + " stop_command ends a command in the background: ";

    private static final Pattern NO_SERVER =
            Pattern.compile(
                    "connection refused|econnrefused|(?:couldn't|failed to) connect to"
                            + "|connectexception");

    private static final Pattern LOCAL = Pattern.compile("localhost|127\\.0\\.0\\.1|\\[::1]");

    private static final Pattern FOR_PROCESSES =
            Pattern.compile("(?:^|[\\s;&|(])(?:pkill|killall|pgrep|pidof|fuser)(?:\\s|$)");

    private static final Pattern NO_PROCESS =
            Pattern.compile("no such process|operation not permitted");

    /** Complaints, in lower case, about what no option of a call opens, and a way around it. */
    private static final Map<Pattern, String> CLOSED = new LinkedHashMap<>();

    static {
        closed(
                "leaksanitizer has encountered a fatal error|ptrace.{0,40}operation not permitted",
                "No process may trace another in the sandbox: debuggers, strace and LeakSanitizer do"
                        + " not work. ASAN_OPTIONS=detect_leaks=0 leaves the rest of AddressSanitizer.");
        closed(
                "(?:listen|connect) eperm|operation not permitted.{0,200}(?:\\.sock\\b|af_unix|unix socket)"
                        + "|(?:\\.sock\\b|af_unix|unix socket).{0,200}operation not permitted"
                        + "|multiprocessing.{0,20}managers\\.py",
                "Unix sockets are closed in the sandbox: let server and client use 127.0.0.1 and a"
                        + " port.");
        closed(
                "/dev/shm.{0,200}(?:permission denied|eacces)"
                        + "|(?:multiprocessing.{0,20}synchronize\\.py|semlock)(?s:.){0,2000}permission",
                "This sandbox (landlock) has no /dev/shm, which semaphores between processes need:"
                        + " use threads, or one process.");
        closed(
                "(?:permission denied|eacces).{0,200}['\" ]/tmp/[^/\\s]{1,100}(?:\\s|$)"
                        + "|['\" ]/tmp/[^/\\s]{1,100}[\\s:].{0,200}(?:permission denied|eacces)",
                "In this sandbox (landlock) commands write temporary files below $TMPDIR, not to /tmp"
                        + " itself.");
    }

    private SandboxHint() {}

    private static void closed(String complaint, String way) {
        CLOSED.put(Pattern.compile(complaint), "\n\n[" + way + "]");
    }

    /**
     * How a command ran.
     *
     * @param offline whether it had no network
     * @param sharesLoopback as of the sandbox
     * @param sharesProcesses whether it sees commands in the background
     * @param background commands that run in the background, for people and models
     */
    record Setting(
            String command,
            boolean offline,
            boolean sharesLoopback,
            boolean sharesProcesses,
            List<String> background) {
        private String ofOthers(String said) {
            if (background.isEmpty()) {
                return "";
            }
            boolean kill = command.contains("kill ") && NO_PROCESS.matcher(said).find();
            if (!sharesProcesses && (kill || FOR_PROCESSES.matcher(command).find())) {
                return OTHER_PROCESSES + String.join(", ", background) + ".]";
            }
            if (!NO_SERVER.matcher(said).find() || offline && sharesLoopback) {
                return "";
            }
            return offline ? OWN_LOOPBACK : OTHER_NETWORK;
        }
    }

    /** Whether a server of this machine was not there. */
    private static boolean isLocal(String command, String said) {
        boolean local = LOCAL.matcher(command).find() || LOCAL.matcher(said).find();
        return local && NO_SERVER.matcher(said).find();
    }

    /** To be put behind the result; empty if nothing is to be said. */
    static String of(CommandOutcome outcome, Setting setting) {
        if (outcome.ending() != CommandOutcome.Ending.EXITED || outcome.exitCode() == 0) {
            return "";
        }
        String said = outcome.stdout().text() + "\n" + outcome.stderr().text();
        String lower = said.toLowerCase(Locale.ROOT);
        String ofOthers = setting.ofOthers(lower);
        if (!ofOthers.isEmpty()) {
            return ofOthers;
        }
        boolean nobody = setting.offline && setting.sharesLoopback && setting.background.isEmpty();
        if (nobody && isLocal(setting.command, lower)) {
            return RUNS_LOOPBACK;
        }
        if (setting.offline && COMPLAINTS.stream().anyMatch(lower::contains)) {
            return NETWORK;
        }
        List<String> refused = lower.lines().filter(line -> REFUSED.matcher(line).find()).toList();
        if (refused.stream().anyMatch(line -> line.contains("/.m2/settings.xml"))) {
            return MAVEN;
        }
        boolean ofCache =
                refused.stream().anyMatch(line -> OF_CACHE.matcher(line).find())
                        || lower.lines().anyMatch(line -> NPM_PATH.matcher(line).find());
        return ofCache
                ? CACHE
                : CLOSED.entrySet().stream()
                        .filter(each -> each.getKey().matcher(lower).find())
                        .findFirst()
                        .map(Map.Entry::getValue)
                        .orElse("");
    }
}
