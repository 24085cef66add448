package dev.agentloop.shell.parse;

/**
 * A redirection of a command.
 *
 * @param operator with the number of the descriptor before it, if there is one: {@code 2>>}
 * @param target the file; of {@code >&} a descriptor; of a here-document its text
 */
public record Redirect(String operator, Word target) {
    static final String HERE_STRING = "<<<";
    static final String DEV_NULL = "/dev/null";

    /** Whether the file is created, cut or written to. */
    public boolean isWriting() {
        return !isText() && !isDuplicate() && sign().contains(">");
    }

    /** Whether the file is read. */
    public boolean isReading() {
        return sign().equals("<") || sign().equals("<>");
    }

    /** Whether its target is text for the standard input. */
    public boolean isHereDocument() {
        return sign().startsWith("<<") && !sign().equals(HERE_STRING);
    }

    /** Whether its target is what the command reads: a here-document or a here-string. */
    public boolean isText() {
        return sign().startsWith("<<");
    }

    private boolean isDuplicate() {
        return sign().endsWith("&");
    }

    private String sign() {
        return operator.substring(operator.charAt(0) <= '9' ? 1 : 0); // else a sign
    }

    /** Whether nothing on the disk can change by it. */
    public boolean isHarmless() {
        return !isWriting() || target.isLiteral() && target.text().equals(DEV_NULL);
    }

    String shown() {
        if (!isHereDocument()) {
            return operator + target.shown();
        }
        return operator.replace("-", "") + "'" + delimiter() + "'";
    }

    /** The lines of a here-document, to stand below the command; else nothing. */
    String body() {
        return isHereDocument() ? "\n" + target.text() + delimiter() : "";
    }

    private String delimiter() {
        int longest =
                target.text()
                        .lines()
                        .filter(line -> line.startsWith("EOF"))
                        .mapToInt(String::length)
                        .max()
                        .orElse(2);
        return "EOF" + "_".repeat(longest - 2);
    }
}
