package dev.agentloop.blackbox;

import java.util.ArrayList;
import java.util.List;

/**
 * What a run left of the terminal that it ran in.
 *
 * @param before what {@code stty -a} said before it
 * @param after what it said afterwards
 */
record TerminalTrace(String before, String after) {
    private static final String HIDE_CURSOR = "\u001b[?25l";
    private static final String SHOW_CURSOR = "\u001b[?25h";

    /** Two ages of the alternate screen, and the mode in which pasted text comes in brackets. */
    private static final List<String> PRIVATE_MODES = List.of("47", "1047", "1049", "2004");

    /** G8: modes as they were, the cursor visible, the screen the one that was there. */
    List<String> violations(String written) {
        List<String> violations = new ArrayList<>();
        if (before.isBlank() || !before.equals(after)) {
            violations.add("G8 stty -a was <" + before + ">, is <" + after + ">");
        }
        if (written.lastIndexOf(HIDE_CURSOR) > written.lastIndexOf(SHOW_CURSOR)) {
            violations.add("G8 the cursor is hidden");
        }
        for (String mode : PRIVATE_MODES) {
            String begin = "\u001b[?" + mode;
            if (written.lastIndexOf(begin + "h") > written.lastIndexOf(begin + "l")) {
                violations.add("G8 the terminal is left in mode " + mode);
            }
        }
        return violations;
    }
}
