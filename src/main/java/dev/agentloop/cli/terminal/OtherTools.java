package dev.agentloop.cli.terminal;

import java.util.Map;
import java.util.Set;

/**
 * Options and commands of other coding agents, and what somebody who is used to them writes here.
 */
public final class OtherTools {
    private static final String YOLO = "here it is --yolo, in the sandbox (--sandbox off: without)";
    private static final Map<String, String> HERE =
            Map.ofEntries(
                    Map.entry("--print", "agent run prints the answer without it"),
                    Map.entry("--dangerously-skip-permissions", YOLO),
                    Map.entry("--dangerously-bypass-approvals-and-sandbox", YOLO),
                    Map.entry("--full-auto", YOLO),
                    Map.entry("--yes-always", YOLO),
                    Map.entry("--approval-mode", "here: --yolo, or --confirm MODE"),
                    Map.entry("--ask-for-approval", "here: --yolo, or --confirm MODE"),
                    Map.entry("--permission-mode", "here: --agent plan, --confirm MODE, or --yolo"),
                    Map.entry("-r", "here it is --resume ID, or --continue for the newest session"),
                    Map.entry("--last", "here: --continue, or agent resume --last"),
                    Map.entry("--allowedTools", "here it is --allow RULE"),
                    Map.entry("--disallowedTools", "here it is --deny RULE"),
                    Map.entry("--system-prompt", "--append-system-prompt adds to the prompt"),
                    Map.entry("--include-directories", "here it is --add-dir DIR"),
                    Map.entry("--cd", "here it is -C DIR"),
                    Map.entry("--oss", "here: -m ollama/MODEL or -m lmstudio/MODEL"),
                    Map.entry("--message", "the task is the words, or -p TEXT"),
                    Map.entry("--no-session-persistence", "here it is --no-session"),
                    Map.entry("--output-last-message", "here it is --output-file FILE"));

    /** Who writes one of these does not mean a task. */
    private static final Set<String> COMMANDS =
            Set.of(
                    ("login logout auth setup install uninstall update upgrade version list exec"
                                    + " serve server web start stop status stats info delete clear"
                                    + " apply export import cloud features extensions plugin plugins"
                                    + " settings configure init session github")
                            .split(" "));

    private OtherTools() {}

    /** Whether one of them has this command. */
    public static boolean hasCommand(String word) {
        return COMMANDS.contains(word);
    }

    /** What to write here; empty for an option that none of them has. */
    public static String here(String option) {
        int value = option.indexOf('=');
        return HERE.getOrDefault(value < 0 ? option : option.substring(0, value), "");
    }
}
