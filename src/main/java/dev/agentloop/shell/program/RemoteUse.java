package dev.agentloop.shell.program;

import java.util.List;
import java.util.Set;

/** What leaves this machine: what a command publishes, and whether it needs a network at all. */
public final class RemoteUse {
    private static final Set<String> CLIENTS =
            Set.of(
                    "curl",
                    "wget",
                    "ssh",
                    "scp",
                    "sftp",
                    "ftp",
                    "telnet",
                    "nc",
                    "ncat",
                    "netcat",
                    "socat",
                    "ping",
                    "dig",
                    "nslookup",
                    "host",
                    "whois",
                    "traceroute",
                    "npx",
                    "bunx",
                    "gh",
                    "glab",
                    "aws",
                    "gcloud",
                    "az",
                    "kubectl",
                    "helm",
                    "twine",
                    "http",
                    "https",
                    "aria2c",
                    "lynx",
                    "uvx",
                    "pipx");

    private static final Set<String> READING_VERBS =
            Set.of("list", "ls", "view", "status", "diff", "checks", "search", "show", "help", "");

    private static final Set<String> KUBECTL_READS =
            Set.of(
                    "get",
                    "describe",
                    "logs",
                    "explain",
                    "version",
                    "config",
                    "api-resources",
                    "api-versions",
                    "cluster-info",
                    "top",
                    "diff",
                    "wait",
                    "help",
                    "");

    private RemoteUse() {}

    /**
     * Whether the command sends work to others.
     *
     * @param name of the program, without folders
     * @param words those after the program
     */
    public static boolean publishes(String name, List<String> words) {
        return !Rehearsal.isOnly(name, words)
                && (Subcommand.readings(name, words).stream()
                                .anyMatch(reading -> publishes(name, reading))
                        || !Catalogue.publishing(name, words).isEmpty());
    }

    private static boolean publishes(String name, Subcommand words) {
        String verb = words.verb();
        return switch (name) {
            case "git" ->
                    verb.equals("push") || verb.equals("send-email") || verb.equals("send-pack");
            case "npm", "pnpm" ->
                    Set.of("publish", "unpublish", "deprecate", "dist-tag").contains(verb);
            case "yarn", "bun" -> verb.equals("publish") || words.is("npm", "publish");
            case "mvn", "mvnw" -> words.operands().stream().anyMatch(RemoteUse::isMavenDeploy);
            case "gradle", "gradlew" ->
                    words.operands().stream().anyMatch(RemoteUse::isGradlePublish);
            case "cargo", "poetry", "uv", "flit", "hatch", "dart", "wrangler" ->
                    Set.of("publish", "deploy", "yank").contains(verb);
            case "gem" -> verb.equals("push") || verb.equals("yank");
            case "twine" -> verb.equals("upload");
            case "dotnet" -> words.is("nuget", "push");
            case "mix" -> verb.equals("hex.publish");
            case "docker", "podman" -> isImagePush(words);
            case "gh", "glab" -> isForgeWrite(words);
            case "terraform", "tofu" -> Set.of("apply", "destroy", "import").contains(verb);
            case "pulumi", "cdk" -> Set.of("up", "deploy", "destroy").contains(verb);
            case "kubectl" -> !KUBECTL_READS.contains(verb);
            case "helm" ->
                    Set.of("install", "upgrade", "uninstall", "delete", "rollback", "push")
                            .contains(verb);
            case "vercel", "netlify", "fly", "flyctl", "firebase", "serverless", "sls", "heroku" ->
                    true;
            case "ansible-playbook" -> true;
            default -> false;
        };
    }

    private static boolean isMavenDeploy(String goal) {
        return goal.equals("deploy")
                || goal.endsWith(":deploy")
                || goal.endsWith(":deploy-file")
                || goal.startsWith("release:")
                || goal.endsWith(":publish");
    }

    private static boolean isGradlePublish(String task) {
        String name = task.substring(task.lastIndexOf(':') + 1);
        return name.startsWith("publish") && !name.endsWith("ToMavenLocal");
    }

    private static boolean isImagePush(Subcommand words) {
        return words.verb().equals("push")
                || words.operand(1).equals("push")
                || words.has("--push");
    }

    private static boolean isForgeWrite(Subcommand words) {
        if (words.verb().equals("api")) {
            return words.hasFlag('X')
                    || words.hasFlag('f')
                    || words.hasFlag('F')
                    || words.hasAnyWith("--method")
                    || words.hasAnyWith("--field")
                    || words.hasAnyWith("--raw-field")
                    || words.hasAnyWith("--input");
        }
        return !READING_VERBS.contains(words.verb())
                && !Set.of("auth", "browse", "config", "completion", "alias").contains(words.verb())
                && !READING_VERBS.contains(words.operand(1))
                && !Set.of("clone", "checkout", "download", "watch").contains(words.operand(1));
    }

    /** Whether the command is known to need a network. */
    public static boolean needsNetwork(String name, List<String> all) {
        Subcommand words = Subcommand.of(name, all);
        String verb = words.verb();
        if (CLIENTS.contains(name) || publishes(name, all)) {
            return true;
        }
        return switch (name) {
            case "git" ->
                    Set.of("fetch", "pull", "clone", "ls-remote").contains(verb)
                            || words.is("remote", "update")
                            || words.is("submodule", "update");
            case "npm", "pnpm", "yarn", "bun" ->
                    !Set.of(
                                    "run",
                                    "run-script",
                                    "test",
                                    "t",
                                    "start",
                                    "exec",
                                    "ls",
                                    "list",
                                    "config")
                            .contains(verb);
            case "pip", "pip3", "gem", "bundle", "composer", "poetry", "uv", "brew" ->
                    Set.of("install", "download", "add", "update", "sync", "lock", "upgrade")
                            .contains(verb);
            case "apt", "apt-get", "yum", "dnf", "apk", "pacman", "zypper" -> true;
            case "mvn", "mvnw" -> !words.has("-o") && !words.has("--offline");
            case "gradle", "gradlew", "cargo" -> !words.has("--offline");
            case "go" -> Set.of("get", "install", "mod").contains(verb);
            case "docker", "podman" ->
                    Set.of("pull", "push", "build", "run", "login", "compose", "buildx")
                            .contains(verb);
            case "dotnet" -> Set.of("restore", "add").contains(verb);
            case "rsync" -> all.stream().anyMatch(word -> word.indexOf(':') > 0);
            default -> false;
        };
    }
}
