package dev.agentloop.verification;

import dev.agentloop.verification.Verification.State;
import java.util.regex.Pattern;

/** What tests, builds and linters say in their output, where their exit code does not tell all. */
final class CheckOutput {
    /** How it is said that a project has no such check: nothing was looked at. */
    private static final Pattern NOT_THERE =
            Pattern.compile(
                    "\\Aexit code: 127|No rule to make target '(?:test|check|lint)'\\."
                            + "|No targets specified and no makefile|[Mm]issing script: "
                            + "|Couldn't find a script named|^\\S*python\\S*: No module named ",
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
                            + "|Failures: 0, Errors: 0|All checks passed|no issues found|^PASS\\b",
                    Pattern.MULTILINE);

    /** A runner found no test, or none that its options let through. */
    private static final Pattern NO_TEST =
            Pattern.compile(
                    "(?i)\\bno tests? (?:ran|found|files? found|to run|executed|is available"
                            + "|were found)\\b|^collected 0 items|^Ran 0 tests|^(?:#|ℹ) tests 0\\b"
                            + "|\\b0 (?:passing|examples)\\b|\\[no test files\\]|^running 0 tests"
                            + "|^1\\.\\.0\\b|^Tests run: 0\\b|\\b0 tests (?:ran|run|found)\\b",
                    Pattern.MULTILINE);

    /** Another part of the same output says that some did run. */
    private static final Pattern A_TEST =
            Pattern.compile(
                    "(?i)\\b[1-9]\\d* (?:passed|passing|examples?\\b)|^Ran [1-9]|^(?:#|ℹ) tests [1-9]"
                            + "|^ok\\s+\\S+\\s+(?!.*\\[no tests to run\\])\\S|^ok [1-9]"
                            + "|^running [1-9]\\d* tests?\\b|^1\\.\\.[1-9]|Tests run: [1-9]"
                            + "|^--- PASS|\\([1-9]\\d* tests?\\b|tests passed,",
                    Pattern.MULTILINE);

    private static final Pattern NOTHING_PRINTED =
            Pattern.compile("\\A(?:b\\d+ has ended: )?exit code: 0[^\\n]*\\s*(?:std\\w+:\\s*)*\\z");

    private CheckOutput() {}

    static boolean hasFailure(String output) {
        return FAILURE.matcher(output).find();
    }

    /** Whether nothing was looked at: there is no such check, or it found no test. */
    static boolean isOfNothing(String output, boolean succeeded) {
        boolean none =
                !succeeded && NOT_THERE.matcher(output).find()
                        || NO_TEST.matcher(output).find() && !A_TEST.matcher(output).find();
        return none && !hasFailure(output);
    }

    /**
     * What the check said.
     *
     * @param failedBefore whether an earlier piece of its output had a failure
     */
    static State state(
            CommandParts.Part check, boolean failedBefore, String output, boolean succeeded) {
        if (!check.decides()) {
            return failedBefore || hasFailure(output) ? State.FAILED : said(output, succeeded);
        }
        boolean tells = !CheckCommands.isScript(check.words()) || !hasPrintedNothing(output);
        return !succeeded ? State.FAILED : tells ? State.PASSED : State.NONE;
    }

    /** The exit code is that of another program, as in {@code pytest | tail}. */
    private static State said(String output, boolean succeeded) {
        return succeeded && SUCCESS.matcher(output).find() ? State.PASSED : State.NONE;
    }

    private static boolean hasPrintedNothing(String output) {
        return NOTHING_PRINTED.matcher(output).find();
    }
}
