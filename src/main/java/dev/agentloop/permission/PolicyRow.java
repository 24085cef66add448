package dev.agentloop.permission;

/**
 * The default policy: one row for each kind of action, one column for each {@link Supervision}. A
 * call may fall under several rows; the strictest of them counts.
 */
enum PolicyRow {
    READ("P1", "reads in the workspace", Firmness.MILD, "AAAA"),
    READ_SECRET("P2", "reads a file that looks like a secret", Firmness.NAMED, "QDDD"),
    READ_OUTSIDE("P3", "reads outside the workspace", Firmness.NAMED, "QDDD"),
    WRITE("P4", "changes files of the workspace", Firmness.MILD, "AQAA"),
    WRITE_CONTROL("P5", "writes what decides what programs do", Firmness.FIRM, "QDDA"),
    WRITE_PIPELINE("P5", "writes what pipelines of CI run", Firmness.FIRM, "QDDD"),
    WRITE_OWN("P5", "writes this program's own configuration, or git's", Firmness.FIXED, "DDDD"),
    REMEMBER("P5", "keeps a note for later runs", Firmness.OPEN, "QADA"),
    WRITE_OUTSIDE("P6", "writes outside the workspace", Firmness.FIXED, "DDDD"),
    WRITE_SHARED("P6", "writes a file that has another name elsewhere", Firmness.NAMED, "QDDD"),
    COMMAND("P7", "runs a command in the sandbox", Firmness.MILD, "AQAA"),
    COMMAND_WITH_NETWORK("P8", "runs a command with the network", Firmness.MILD, "QDDD"),
    COMMAND_READING("P9", "runs a command that only reads", Firmness.MILD, "AQAA"),
    COMMAND_UNCONFINED("P9", "runs a command without a sandbox", Firmness.MILD, "QQDD"),
    COMMAND_UNCONFINED_BY_WORD(
            "P9", "runs a command without a sandbox, by --sandbox off", Firmness.MILD, "QQDA"),
    DESTRUCTIVE("P10", "destroys what cannot be brought back", Firmness.FIXED, "QDDD"),
    PUBLISH("P11", "changes what others see", Firmness.FIRM, "QDDD"),
    FETCH("P12", "fetches from the web", Firmness.OPEN, "QQDD"),
    SERVER_TOOL("P14", "calls a tool of an MCP server", Firmness.OPEN, "QQDD"),
    TOO_COMPLEX("P10", "is too complex to be understood", Firmness.FIXED, "DDDD");

    /** What it takes to overrule a row. */
    enum Firmness {
        /** Yolo skips its questions; any rule that allows lifts it. */
        MILD,
        /** Yolo skips its questions; a rule that allows must say what, not only which tool. */
        NAMED,
        /** Yolo does not skip it; any rule that allows lifts it. */
        OPEN,
        /** Yolo does not skip it; a rule that allows must say what. */
        FIRM,
        /** Only a person lifts it, each time. */
        FIXED
    }

    private final String id;
    private final String meaning;
    private final Firmness firmness;
    private final String verdicts;

    PolicyRow(String id, String meaning, Firmness firmness, String verdicts) {
        this.id = id;
        this.meaning = meaning;
        this.firmness = firmness;
        this.verdicts = verdicts;
    }

    /** As documented, e.g. {@code P4}. */
    String id() {
        return id;
    }

    String meaning() {
        return meaning;
    }

    Firmness firmness() {
        return firmness;
    }

    Verdict verdict(Supervision use) {
        return switch (verdicts.charAt(use.ordinal())) {
            case 'A' -> Verdict.ALLOW;
            case 'Q' -> Verdict.ASK;
            default -> Verdict.DENY;
        };
    }

    boolean isSkippedByYolo() {
        return firmness == Firmness.MILD || firmness == Firmness.NAMED;
    }

    /**
     * Whether a rule that allows lifts it.
     *
     * @param named whether the rule says what, not only which tool
     */
    boolean isLiftedByRule(boolean named) {
        return switch (firmness) {
            case MILD, OPEN -> true;
            case NAMED, FIRM -> named;
            case FIXED -> false;
        };
    }
}
