package dev.agentloop.shell.program;

import java.util.List;
import java.util.Set;

/** Commands that only say what they would do, or how they are used. */
public final class Rehearsal {
    /** They know {@code --help} behind each of their verbs, and do nothing else then. */
    private static final Set<String> WITH_VERBS =
            Set.of(
                    ("docker podman nerdctl kubectl helm git gh glab az gcloud terraform tofu packer"
                                    + " npm pnpm cargo gem poetry uv goreleaser fly flyctl vercel"
                                    + " netlify firebase wrangler pulumi cdk eksctl kind minikube")
                            .split(" "));

    /** What they are given is sent to a server, whatever it looks like. */
    private static final Set<String> PASSING =
            Set.of("redis-cli", "valkey-cli", "keydb-cli", "iredis", "echo", "printf");

    private static final Set<String> HASHICORP =
            Set.of("terraform", "tofu", "packer", "vault", "consul", "nomad", "boundary");

    /** Options without a value that may stand before another option. */
    private static final Set<String> ALONE =
            Set.of(
                    ("-u -f -q -v --force --force-with-lease --tags --all --verbose --quiet"
                                    + " --follow-tags --set-upstream --porcelain --json --diff"
                                    + " --no-ci --ci --debug")
                            .split(" "));

    private static final int MAX_VERBS = 3;

    private Rehearsal() {}

    /**
     * Whether the options of a command make it only show what it would do.
     *
     * @param program its name without folders
     * @param words those after it
     */
    public static boolean isOnly(String program, List<String> words) {
        return asks(program, words)
                || switch (program) {
                    case "npm", "pnpm", "cargo" -> isOn(words, "--dry-run");
                    case "git" ->
                            Subcommand.of("git", words).verb().equals("push")
                                    && (isOn(words, "--dry-run") || isOn(words, "-n"));
                    case "semantic-release" -> isOn(words, "--dry-run") || isOn(words, "-d");
                    case "goreleaser" ->
                            Set.of("check", "healthcheck", "build", "init", "jsonschema")
                                            .contains(Subcommand.of(program, words).verb())
                                    || isOn(words, "--snapshot");
                    case "ansible-playbook" ->
                            isOn(words, "--syntax-check")
                                    || isOn(words, "--list-tasks")
                                    || isOn(words, "--list-hosts");
                    default -> false;
                };
    }

    /** {@code vim --version}, {@code kubectl delete --help}: an option that answers at the end. */
    public static boolean asks(String program, List<String> words) {
        if (words.isEmpty() || PASSING.contains(program)) {
            return false;
        }
        String last = words.getLast();
        boolean option =
                last.equals("--help")
                        || last.equals("--version")
                        || last.equals("-help") && HASHICORP.contains(program);
        int verbs = words.size() - 1;
        int most = WITH_VERBS.contains(program) ? MAX_VERBS : 1;
        return option
                && verbs <= most
                && words.subList(0, verbs).stream()
                        .allMatch(word -> word.matches("[a-z][a-z0-9-]*"));
    }

    /** Whether the word is there as an option for sure: no value of another, and not taken back. */
    private static boolean isOn(List<String> words, String option) {
        String name = option.replaceFirst("^-+", "");
        boolean takenBack =
                words.stream()
                        .anyMatch(word ->
                                word.equals("--no-" + name) || word.startsWith(option + "="));
        int at = words.indexOf(option);
        if (at < 0 || takenBack || words.subList(0, at).contains("--")) {
            return false;
        }
        String before = at == 0 ? "" : words.get(at - 1);
        String after = at + 1 < words.size() ? words.get(at + 1) : "";
        return (!before.startsWith("-") || before.contains("=") || ALONE.contains(before))
                && !after.equals("false");
    }
}
