package dev.agentloop.shell;

import dev.agentloop.shell.read.OptionTable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The programs that start the command in their own words, and which of those words are theirs. */
final class WrapperTable {
    private static final String UNKNOWN_NAMES = "xargs gives it words that are not known";

    private WrapperTable() {}

    /**
     * @param skipped operands before the command
     * @param assigns whether {@code NAME=value} may stand before it
     * @param joins whether a shell reads the command again
     * @param reason why the whole is not clear, if so
     */
    record Row(
            OptionTable options,
            int skipped,
            boolean assigns,
            boolean joins,
            Optional<String> reason) {
        static Row of(String options, int skipped) {
            return new Row(OptionTable.of(options), skipped, false, false, Optional.empty());
        }

        Row assigning() {
            return new Row(options, skipped, true, joins, reason);
        }

        Row joining() {
            return new Row(options, skipped, assigns, true, reason);
        }

        Row because(String why) {
            return new Row(options, skipped, assigns, joins, Optional.of(why));
        }
    }

    static @Nullable Row row(String name) {
        return switch (name) {
            case "env" -> Row.of("-i0v -u: --ignore-environment --unset: --null", 0).assigning();
            case "sudo" -> Row.of("-nEHbkSP -ugpCTrth: --non-interactive", 0).assigning();
            case "npx", "bunx", "pnpx", "uvx" -> Row.of("-yq -p: --yes --no --quiet --package:", 0);
            case "doas" -> Row.of("-n -u:", 0);
            case "nice" -> Row.of("-# -n: --adjustment:", 0);
            case "ionice" -> Row.of("-t -cn: --class: --classdata:", 0);
            case "timeout" ->
                    Row.of("-v -ks: --signal: --kill-after: --foreground --preserve-status", 1);
            case "nohup", "busybox", "toybox", "corepack" -> Row.of("--", 0);
            case "setsid" -> Row.of("-cfw --ctty --fork --wait", 0);
            case "stdbuf" -> Row.of("-ioe: --input: --output: --error:", 0);
            case "chrt" -> Row.of("-bfior", 1);
            case "taskset" -> Row.of("-c", 1);
            case "flock" -> Row.of("-nsxu -wE: --nonblock --shared", 1).because(again(name));
            case "chroot", "setpriv", "unshare", "nsenter", "strace", "ltrace", "entr", "gdb" ->
                    Row.of("--", 0).because("it is not known what " + name + " starts");
            case "xargs" ->
                    Row.of(
                                    "-0rtpxo -nPILsdEa: --null --no-run-if-empty --max-args: --max-procs:"
                                            + " --replace? -i?",
                                    0)
                            .because(UNKNOWN_NAMES);
            case "parallel" ->
                    Row.of("-kju0X: --keep-order --jobs:", 0).joining().because(again(name));
            case "watch" ->
                    Row.of("-bcdegtx -n: --interval: --no-title --color", 0)
                            .joining()
                            .because(again(name));
            case "ssh" ->
                    Row.of("-46AaCfGgKkMNnqsTtVvXxYy -BbcDEeFIiJLlmOopQRSWw:", 1)
                            .joining()
                            .because("it runs on another machine");
            default -> null;
        };
    }

    /** Of programs that start another one after a word of their own, as {@code npm exec}. */
    static @Nullable Row row(String name, String verb) {
        return switch (name + " " + verb) {
            case "npm exec", "npm x", "pnpm exec", "pnpm dlx", "yarn exec", "yarn dlx" ->
                    Row.of("-y -p: --yes --no --package:", 0);
            case "uv run", "poetry run", "pipenv run", "rye run", "hatch run", "bundle exec" ->
                    Row.of("-q --quiet --locked --frozen", 0);
            case "docker run", "podman run", "nerdctl run" ->
                    Row.of("-itd -evuw: --rm --name: --env: --volume: --user: --workdir:", 1);
            case "docker exec", "podman exec" -> Row.of("-itd -euw: --env: --user: --workdir:", 1);
            case "conda run", "mamba run" -> Row.of("-np: --name: --prefix:", 0);
            case "npm explore", "buildah run", "nerdctl exec" ->
                    Row.of("-itd -euw: --env: --user: --workdir: --tty", 1)
                            .because("it starts a program");
            case "composer exec", "gem exec", "podman unshare", "buildah unshare" ->
                    Row.of("-vqg --", 0).because("it starts a program");
            case "mix cmd" -> Row.of("--cd:", 0).joining().because(again("mix"));
            case "direnv exec" -> Row.of("--", 1).because("it reads .envrc");
            case "kubectl run" ->
                    Row.of("-itn: --image: --rm --restart: --stdin --tty --namespace:", 1)
                            .because("it runs on another machine");
            case "kubectl exec", "oc exec", "k exec", "kubectl debug" ->
                    Row.of("-it -cn: --container: --namespace: --stdin --tty", 1)
                            .because("it runs on another machine");
            case "compose run", "compose exec" -> Row.of("-Tdit -euw: --rm --env: --user:", 1);
            case "docker-compose run", "docker-compose exec", "podman-compose exec" ->
                    Row.of("-Tdit -euw: --rm --env: --user: --workdir:", 1);
            case "bun x", "pdm run", "mise exec", "mise x", "rtx exec", "asdf exec" ->
                    Row.of("-q --quiet", 0).because("it starts a program");
            default -> null;
        };
    }

    private static String again(String name) {
        return name + " lets a shell read its words again";
    }
}
