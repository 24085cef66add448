package dev.agentloop.permission;

/**
 * Why the default policy wants a call to be treated so.
 *
 * @param row of the table
 * @param subject what rules are matched against to lift it: the path, command or address at hand
 * @param what for people: what about the call falls under the row, e.g. a path
 */
record PolicyReason(PolicyRow row, String subject, String what) {
    String reason() {
        return what.isEmpty() ? "it " + row.meaning() : "it " + row.meaning() + ": " + what;
    }
}
