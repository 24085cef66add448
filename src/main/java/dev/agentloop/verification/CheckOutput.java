package dev.agentloop.verification;

import dev.agentloop.verification.Verification.State;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What tests, builds and linters say in their output, where their exit code does not tell all. */
final class CheckOutput {
    /** How it is said that a project has no such check: nothing was looked at. */
    private static final Pattern NOT_THERE =
            Pattern.compile(
                    "\\Aexit code: 12[67]|No rule to make target '(?:test|check|lint)'\\."
                            + "|No targets specified and no makefile|[Mm]issing script: "
                            + "|Couldn't find a script named|^\\S{0,200}python\\S{0,20}: No module named ",
                    Pattern.MULTILINE);

    private static final Pattern FAILURE =
            Pattern.compile(
                    "(?i)\\b[1-9]\\d* (?:failed|failures?|errors?|failing)\\b|BUILD FAIL|^FAIL(?:ED)?\\b"
                            + "|^--- FAIL|test result: FAILED|^E  |^error(?:\\[|:)|: error:"
                            + "|Failures: [1-9]|Errors: [1-9]|^not ok |✗|Traceback \\(most recent",
                    Pattern.MULTILINE);

    private static final Pattern SUCCESS =
            Pattern.compile(
                    "(?i)\\b[1-9]\\d* (?:passed|passing)\\b|BUILD SUCCESS|^OK\\b|^ok \\s*\\S"
                            + "|test result: ok|\\b0 (?:failed|failures|errors)\\b"
                            + "|Failures: 0, Errors: 0|All checks passed|100% tests passed|no issues found|^PASS\\b",
                    Pattern.MULTILINE);

    /** Lines that say of one test that it passed, whatever its name is. */
    private static final Pattern ONE_PASSED =
            Pattern.compile("(?m)^[ \\t]{0,40}(?:[✓√✔]|ok \\d|--- PASS).*$|^.{1,500} PASSED\\b.*$");

    /** A runner found no test, or none that its options let through. */
    private static final Pattern NO_TEST =
            Pattern.compile(
                    "(?i)\\bno tests? (?:ran|found|files? found|to run|executed|is available"
                            + "|were found|matches)\\b|^collected 0 items|^Ran 0 tests"
                            + "|^(?:#|ℹ) tests 0\\b|\\b0 (?:passing|examples)\\b"
                            + "|\\[no test files\\]|^running 0 tests|^1\\.\\.0\\b"
                            + "|^(?:\\[\\w+] )?Tests run: 0\\b|\\b0 tests (?:ran|run|found)\\b"
                            + "|:\\w*test\\w* NO-SOURCE|\\bExecuted 0 tests|\\b0 passed \\| 0 failed"
                            + "|^[ =]{0,80}[1-9]\\d* (?:skipped|deselected)\\b"
                            + "|^Tests: +[1-9]\\d* skipped, [1-9]\\d* total",
                    Pattern.MULTILINE);

    /** Another part of the same output says that some did run. */
    private static final Pattern A_TEST =
            Pattern.compile(
                    "(?i)\\b[1-9]\\d* (?:passed|passing|examples?\\b)|^Ran [1-9]|^(?:#|ℹ) tests [1-9]"
                            + "|^ok[ \\t]+\\S+[ \\t]+(?!.*\\[no tests to run\\])\\S|^ok [1-9]"
                            + "|^running [1-9]\\d* tests?\\b|^1\\.\\.[1-9]|Tests run: [1-9]"
                            + "|^--- PASS|\\([1-9]\\d* tests?\\b|tests passed,|Executed [1-9]",
                    Pattern.MULTILINE);

    /** Words of a check that looks at more than tests. */
    private static final Pattern BUILDS =
            Pattern.compile(
                    "\\b(?:package|install|verify|compile|build|assemble|vet|clippy|lint)\\b");

    /** With one of these the exit code is 0 whatever was found. */
    private static final Set<String> IGNORES_FAILURES =
            Set.of("--exit-zero", "-fn", "--fail-never", "--if-present");

    private static final Pattern NO_OUTPUT =
            Pattern.compile("std(?:out|err):(?: \\(empty\\))?|cwd: .*|\\[.*]");

    private CheckOutput() {}

    static boolean hasFailure(String output) {
        return FAILURE.matcher(ONE_PASSED.matcher(output).replaceAll("")).find();
    }

    /**
     * Whether nothing was looked at: there is no such check, or it found no test.
     *
     * @param checks all checks of the line: what a build says of its tests is not all it does
     */
    static boolean isOfNothing(List<CommandParts.Part> checks, String output, boolean succeeded) {
        boolean tests =
                checks.size() == 1
                        && !BUILDS.matcher(String.join(" ", checks.getFirst().words())).find();
        boolean none =
                !succeeded && NOT_THERE.matcher(output).find()
                        || tests
                                && NO_TEST.matcher(output).find()
                                && !A_TEST.matcher(output).find();
        return none && !hasFailure(output);
    }

    /**
     * What the last check of a line said, or an earlier one whose failure the exit code hides.
     *
     * @param checks of the line, at least one
     * @param line of which the checks are parts
     * @param failedBefore whether an earlier piece of its output had a failure
     */
    static State state(
            String line,
            List<CommandParts.Part> checks,
            boolean failedBefore,
            String output,
            boolean succeeded) {
        CommandParts.Part check = checks.getLast();
        boolean hidden = checks.stream().anyMatch(each -> !each.decides());
        if (hidden && (failedBefore || hasFailure(output))) {
            return State.FAILED;
        }
        if (!check.decides() || succeeded && ignoresFailures(check.words())) {
            boolean failed = failedBefore || hasFailure(output);
            return failed ? State.FAILED : said(withoutEchoes(line, output), succeeded);
        }
        boolean tells = !CheckCommands.isScript(check.words()) || !hasPrintedNothing(output);
        return !succeeded ? State.FAILED : tells ? State.PASSED : State.NONE;
    }

    private static boolean ignoresFailures(List<String> words) {
        return words.contains("make") && words.contains("-i")
                || words.contains("gofmt") && (words.contains("-l") || words.contains("-d"))
                || words.stream().anyMatch(IGNORES_FAILURES::contains)
                || words.stream().anyMatch(it -> it.startsWith("-Dmaven.test.failure.ignore"));
    }

    /** What the line itself prints is no word of a check. */
    private static String withoutEchoes(String line, String output) {
        List<String> echoed = CommandParts.echoed(line);
        return output.lines()
                .filter(each -> !echoed.contains(each.strip()))
                .collect(Collectors.joining("\n"));
    }

    /** The exit code is that of another program, as in {@code pytest | tail}. */
    private static State said(String output, boolean succeeded) {
        return succeeded && SUCCESS.matcher(output).find() ? State.PASSED : State.NONE;
    }

    private static boolean hasPrintedNothing(String output) {
        return output.lines()
                .skip(1)
                .allMatch(line -> line.isBlank() || NO_OUTPUT.matcher(line).matches());
    }
}
