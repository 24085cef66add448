package dev.agentloop.permission;

import dev.agentloop.tool.Effect;
import java.util.Arrays;
import java.util.Optional;

/** Who is asked when no rule speaks about a call. */
public enum ConfirmPreset {
    /** Every call that is not pure is asked, and runs never side by side. */
    CONFIRM_ALL("confirm-all"),
    /** What is sensitive is asked: every call that is not pure. */
    CONFIRM_SENSITIVE("confirm-sensitive"),
    /** Nobody is asked; rules that deny still hold. */
    YOLO("yolo");

    private final String wireName;

    ConfirmPreset(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }

    public static Optional<ConfirmPreset> parse(String text) {
        return Arrays.stream(values()).filter(p -> p.wireName.equals(text)).findFirst();
    }

    Decision decide(Effect effect) {
        if (effect == Effect.PURE || this == YOLO) {
            return new Decision(Verdict.ALLOW, wireName, "");
        }
        return new Decision(
                Verdict.ASK, wireName, "it changes something, and " + wireName + " asks");
    }
}
