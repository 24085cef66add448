package dev.agentloop.verification;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which commands look like a check of the work: tests, builds, compilers, linters. */
public final class CheckCommands {
    /** Those that programs in general are known for. */
    public static final CheckCommands USUAL = new CheckCommands(List.of());

    /** Programs that do nothing else. */
    private static final Set<String> CHECKERS =
            Set.of(
                    ("pytest py.test tox nox mypy pyright ruff flake8 pylint bandit jest"
                                    + " vitest mocha ava tsc eslint tslint biome oxlint stylelint"
                                    + " golangci-lint staticcheck ctest ninja rspec rubocop phpunit pest"
                                    + " phpstan psalm shellcheck hadolint yamllint actionlint tflint javac"
                                    + " gcc g++ cc c++ clang clang++ clang-tidy cppcheck rustc kotlinc"
                                    + " scalac ghc detekt ktlint pre-commit bats luacheck swiftlint"
                                    + " ansible-lint xmllint gofmt nosetests trial cargo-nextest checkstyle")
                            .split(" "));

    /** Programs of which one of these words makes a check; {@code *}: any that speaks of one. */
    private static final Map<String, Set<String>> WITH_WORDS =
            Map.ofEntries(
                    Map.entry("mvn", Set.of("*", "package", "install")),
                    Map.entry("mvnw", Set.of("*", "package", "install")),
                    Map.entry("gradle", Set.of("*")),
                    Map.entry("gradlew", Set.of("*")),
                    Map.entry("ant", Set.of("*")),
                    Map.entry("sbt", Set.of("*")),
                    Map.entry("mill", Set.of("*")),
                    Map.entry("lein", Set.of("*")),
                    Map.entry("npm", Set.of("*", "t")),
                    Map.entry("pnpm", Set.of("*", "t")),
                    Map.entry("yarn", Set.of("*")),
                    Map.entry("bun", Set.of("*")),
                    Map.entry("deno", Set.of("*")),
                    Map.entry("node", Set.of("*", "--test", "-c", "--check")),
                    Map.entry("go", Set.of("test", "build", "vet")),
                    Map.entry("cargo", Set.of("*", "clippy", "nextest", "--check")),
                    Map.entry("cmake", Set.of("--build")),
                    Map.entry("meson", Set.of("*")),
                    Map.entry("bazel", Set.of("*")),
                    Map.entry("dotnet", Set.of("*")),
                    Map.entry("swift", Set.of("*")),
                    Map.entry("xcodebuild", Set.of("*")),
                    Map.entry("flutter", Set.of("*", "analyze")),
                    Map.entry("dart", Set.of("*", "analyze")),
                    Map.entry("mix", Set.of("*", "credo", "dialyzer")),
                    Map.entry("dune", Set.of("*", "runtest")),
                    Map.entry("stack", Set.of("*")),
                    Map.entry("cabal", Set.of("*")),
                    Map.entry("zig", Set.of("*")),
                    Map.entry("rake", Set.of("*")),
                    Map.entry("just", Set.of("*")),
                    Map.entry("task", Set.of("*")),
                    Map.entry("composer", Set.of("*")),
                    Map.entry("php", Set.of("*", "-l")),
                    Map.entry("ruby", Set.of("*", "-c")),
                    Map.entry("perl", Set.of("*", "-c", "-wc")),
                    Map.entry("bash", Set.of("*", "-n")),
                    Map.entry("sh", Set.of("*", "-n")),
                    Map.entry("zsh", Set.of("*", "-n")),
                    Map.entry("terraform", Set.of("validate")),
                    Map.entry("prettier", Set.of("*", "-c", "--check", "-l", "--list-different")),
                    Map.entry("black", Set.of("--check")),
                    Map.entry("isort", Set.of("--check", "--check-only")),
                    Map.entry("rustfmt", Set.of("--check")),
                    Map.entry("playwright", Set.of("test")),
                    Map.entry("cypress", Set.of("run")));

    /** Programs whose first word without a dash says what they do; of others each one may. */
    private static final Set<String> WITH_SUBCOMMANDS =
            Set.of(
                    ("npm pnpm yarn bun deno composer go cargo meson bazel dotnet swift flutter dart"
                                    + " mix dune stack cabal zig node php ruby perl bash sh zsh dash ksh"
                                    + " terraform playwright cypress")
                            .split(" "));

    /** Options whose value is the next word. */
    private static final Set<String> WITH_VALUE =
            Set.of(
                    ("--filter -F -C --prefix -w --workspace --dir --cwd -f -pl -P -x --exclude-task"
                                    + " -p --project-dir --configuration --manifest-path -scheme -target"
                                    + " -destination -r --require -I")
                            .split(" "));

    /** Modules that {@code python -m} runs. */
    private static final Set<String> MODULES =
            Set.of(
                    ("pytest unittest mypy pyright tox nox ruff flake8 pylint compileall"
                                    + " py_compile doctest build nose2 trial")
                            .split(" "));

    /** With one of these no program runs a check. */
    private static final Set<String> RUN_NOTHING =
            Set.of(
                    ("--version --help -h --collect-only --co --fixtures --markers --setup-plan"
                                    + " --dry-run --just-print --recon --list-tests --listTests"
                                    + " --listenvs --list-sessions --show-only --showConfig --init"
                                    + " --print-config --list --cache-show --clearCache --notest"
                                    + " --tasks")
                            .split(" "));

    /** An n or q among the options of make that have no value. */
    private static final String MAKE_NOTHING = "-[BbdehikLmnpqrRsStvw]*[nq][BbdehikLmnpqrRsStvw]*";

    private static final String COMPILER_NOTHING = "-dump.*|-print-.*|-###";

    /** The same for one program: expressions for whole words. */
    private static final Map<String, List<String>> RUN_NOTHING_IN =
            Map.ofEntries(
                    Map.entry("make", List.of(MAKE_NOTHING)),
                    Map.entry("gmake", List.of(MAKE_NOTHING)),
                    Map.entry("ninja", List.of("-n", "-t", "clean")),
                    Map.entry("ctest", List.of("-N", "--show-only=.*")),
                    Map.entry("tox", List.of("-l", "-a", "l", "list", "config")),
                    Map.entry("nox", List.of("-l")),
                    Map.entry("gradle", List.of("-m", "tasks")),
                    Map.entry("gradlew", List.of("-m", "tasks")),
                    Map.entry("go", List.of("-n", "-list(?:=.*)?")),
                    Map.entry("vitest", List.of("list")),
                    Map.entry("pre-commit", List.of("install.*", "autoupdate", "clean", "gc")),
                    Map.entry("javac", List.of("-version")),
                    Map.entry("gofmt", List.of("-w", "-s?w|-ws?")),
                    Map.entry("cmake", List.of("clean", "install")),
                    Map.entry("tsc", List.of("-v", "--clean")),
                    Map.entry("gcc", List.of(COMPILER_NOTHING)),
                    Map.entry("g++", List.of(COMPILER_NOTHING)),
                    Map.entry("clang", List.of(COMPILER_NOTHING)),
                    Map.entry("clang++", List.of(COMPILER_NOTHING)),
                    Map.entry("rake", List.of("-T", "-P")),
                    Map.entry("dotnet", List.of("-t")));

    static final Set<String> SHELLS = Set.of("sh", "bash", "dash", "zsh", "ksh");
    private static final Set<String> PACKAGE_MANAGERS =
            Set.of("npm", "pnpm", "yarn", "bun", "deno", "composer", "bundle", "pip", "pip3");
    private static final Set<String> NO_SCRIPTS =
            Set.of(
                    ("install i ci add remove rm uninstall update upgrade require create"
                                    + " init publish link dlx outdated audit view info why ls list pkg"
                                    + " config search cache version")
                            .split(" "));
    private static final Set<String> NO_CHECKS =
            Set.of(
                    ("cd git export source . cp mv rm mkdir echo cat ls curl wget sudo apt"
                                    + " apt-get brew pip pip3")
                            .split(" "));

    /** Words that speak of a check in the name of a script, a goal or a file. */
    private static final Set<String> SPEAKING =
            Set.of(
                    ("test tests check checks lint build compile verify ci typecheck types"
                                    + " spec specs vet validate assemble e2e unit integration selftest"
                                    + " runtests unittest unittests tsc")
                            .split(" "));

    /** Beside such a word a check is only what something else is done to. */
    private static final Set<String> OTHER_WORK =
            Set.of(
                    ("deploy generate gen create setup install clean reset seed download fetch"
                                    + " release publish update upgrade rename migrate venv sync up start"
                                    + " serve init add remove delete")
                            .split(" "));

    /** Words that end as one that speaks of a check, and do not. */
    private static final Set<String> NO_TEST =
            Set.of("latest", "fastest", "greatest", "shortest", "contest", "attest", "protest");

    /** Programs that start the one behind them. */
    private static final Set<String> STARTERS =
            Set.of(
                    ("env time timeout nice sudo exec command npx pnpx bunx uvx xvfb-run"
                                    + " stdbuf nohup caffeinate if then do else while ! until")
                            .split(" "));

    private static final Map<String, String> RUNNERS =
            Map.of(
                    "uv", "run",
                    "poetry", "run",
                    "pipenv", "run",
                    "hatch", "run",
                    "pdm", "run",
                    "bundle", "exec",
                    "conda", "run",
                    "rye", "run");

    private final List<List<String>> named;

    /**
     * @param named further commands, e.g. those that a project's instructions name as its tests
     */
    public CheckCommands(List<String> named) {
        List<List<String>> all = new ArrayList<>();
        for (String command : named) {
            CommandParts.of(command).stream()
                    .map(CommandParts.Part::words)
                    .filter(CheckCommands::mayBeCheck)
                    .forEach(all::add);
        }
        this.named = List.copyOf(all);
    }

    /** The last check in a line, if there is one. */
    Optional<CommandParts.Part> in(String line) {
        List<CommandParts.Part> all = all(line);
        return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
    }

    /** All checks in a line, in their order. */
    List<CommandParts.Part> all(String line) {
        return CommandParts.of(line).stream().filter(part -> isCheck(part.words())).toList();
    }

    private boolean isNamed(List<String> words) {
        return named.stream()
                .anyMatch(known ->
                        words.size() >= known.size()
                                && words.subList(0, known.size()).equals(known));
    }

    /** Whether the program is a check, or its words are those that instructions name. */
    boolean isCheck(List<String> words) {
        return isNamed(words) || looksLikeCheck(words);
    }

    private static boolean looksLikeCheck(List<String> all) {
        List<String> words = started(all);
        if (words.isEmpty()) {
            return false;
        }
        String path = words.getFirst();
        String name = path.substring(path.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        List<String> rest = words.subList(1, words.size());
        if (runsNothing(name, rest)) {
            return false;
        }
        if (CHECKERS.contains(name)) {
            return true;
        }
        if (name.startsWith("python")) {
            return isPython(rest);
        }
        if (name.equals("make") || name.equals("gmake")) {
            List<String> goals = rest.stream().filter(word -> !word.startsWith("-")).toList();
            return goals.isEmpty() || goals.stream().anyMatch(CheckCommands::speaks);
        }
        Set<String> known = WITH_WORDS.get(name);
        if (known != null && !installs(words)) {
            List<String> goals = goals(name, rest);
            boolean speaking =
                    known.contains("*") && goals.stream().anyMatch(CheckCommands::speaks);
            return speaking
                    || goals.stream().anyMatch(known::contains)
                    || rest.stream().anyMatch(each -> each.startsWith("-") && known.contains(each));
        }
        return known == null
                && path.contains("/")
                && !path.matches("(?:/usr)?/s?bin/.*") // test is no check, but a shell's condition
                && speaks(name);
    }

    /** The words that say what a program is to do. */
    private static List<String> goals(String name, List<String> rest) {
        List<String> goals = new ArrayList<>();
        for (int at = 0; at < rest.size(); at++) {
            String word = rest.get(at);
            if (WITH_VALUE.contains(word)) {
                at++;
            } else if (word.equals("workspace")) { // of yarn
                at++;
            } else if (!word.startsWith("-") && !word.startsWith("+") && !word.equals("run")) {
                goals.add(word);
            }
        }
        boolean first = WITH_SUBCOMMANDS.contains(name) && !goals.isEmpty();
        return first ? goals.subList(0, 1) : goals;
    }

    /** Whether a package manager is told to get, remove or publish something. */
    private static boolean installs(List<String> words) {
        return PACKAGE_MANAGERS.contains(words.getFirst())
                && words.stream()
                        .skip(1)
                        .filter(word -> !word.startsWith("-"))
                        .findFirst()
                        .filter(NO_SCRIPTS::contains)
                        .isPresent();
    }

    /** What instructions call a check without its being one, as the way to the folder of one. */
    static boolean mayBeCheck(List<String> words) {
        boolean says = words.stream().anyMatch(CheckCommands::speaks);
        return !NO_CHECKS.contains(words.getFirst())
                && words.stream().noneMatch(OTHER_WORK::contains)
                && !installs(words)
                && (words.size() > 1 || says);
    }

    /** Whether the options make it only list, describe or prepare what it would do. */
    private static boolean runsNothing(String name, List<String> rest) {
        List<String> its = RUN_NOTHING_IN.getOrDefault(name, List.of());
        boolean helps = !rest.isEmpty() && rest.getFirst().equals("help");
        boolean formats =
                name.equals("ruff") && rest.contains("format") && !rest.contains("--check");
        boolean parses = SHELLS.contains(name) && rest.contains("-n");
        boolean noFile = parses && rest.stream().allMatch(word -> word.startsWith("-"));
        boolean versionOnly = rest.equals(List.of("-v")) || rest.equals(List.of("-V"));
        boolean shell = SHELLS.contains(name) && rest.stream().anyMatch(w -> w.matches("-[a-z]*c"));
        return helps
                || formats
                || versionOnly
                || noFile
                || shell // its line is looked at instead
                || rest.stream()
                        .anyMatch(word ->
                                RUN_NOTHING.contains(word) || its.stream().anyMatch(word::matches));
    }

    /** Whether the program runs a file that nothing is known of but its name. */
    static boolean isScript(List<String> all) {
        List<String> words = started(all);
        if (words.size() < 2) {
            return false;
        }
        String name = words.getFirst().substring(words.getFirst().lastIndexOf('/') + 1);
        return name.matches("(?:python[\\d.]*|node|ruby|perl|php|deno|bun)")
                && words.stream().noneMatch(word -> word.equals("-m") || word.startsWith("--test"))
                && words.stream().noneMatch(word -> word.matches("-w?c|-l|--check"));
    }

    private static boolean isPython(List<String> rest) {
        int module = rest.indexOf("-m");
        if (module >= 0 && module + 1 < rest.size()) {
            return MODULES.contains(rest.get(module + 1));
        }
        return rest.stream()
                        .filter(word -> word.endsWith(".py"))
                        .findFirst()
                        .filter(CheckCommands::speaks)
                        .isPresent()
                || rest.size() > 1 && rest.getFirst().endsWith("manage.py") && speaks(rest.get(1));
    }

    /** Without variables, and without what only starts another program. */
    private static List<String> started(List<String> words) {
        boolean asks = words.size() > 1 && words.getFirst().equals("command");
        if (asks && words.get(1).matches("-[vV]")) {
            return List.of("command"); // it only says where the program is
        }
        int at = 0;
        while (at < words.size()) {
            String word = words.get(at);
            boolean runs =
                    at + 1 < words.size()
                            && words.get(at + 1).equals(RUNNERS.getOrDefault(word, ""));
            if (runs) {
                at += 2;
            } else if (STARTERS.contains(word)
                    || word.matches("[A-Za-z_]\\w*=.*")
                    || at > 0 && (word.startsWith("-") || word.matches("\\d+[smh]?"))) {
                at++;
            } else {
                break;
            }
        }
        return words.subList(at, words.size());
    }

    /** Whether a name or a path has a word that speaks of a check, such as compileJava. */
    static boolean speaks(String text) {
        boolean speaks = false;
        for (String word : text.split("[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])")) {
            String plain = word.toLowerCase(Locale.ROOT);
            if (OTHER_WORK.contains(plain)) {
                return false;
            }
            speaks |= SPEAKING.contains(plain) || CHECKERS.contains(plain);
            speaks |= plain.matches(".*(?:tests?|lint|checks?)") && !NO_TEST.contains(plain);
        }
        return speaks;
    }
}
