package dev.agentloop.permission;

import java.util.Arrays;
import java.util.Optional;

/** How much of what the default policy leaves open a person is asked about. */
public enum ConfirmPreset {
    /** Every call that is not pure is asked, and runs never side by side. */
    CONFIRM_ALL("confirm-all"),
    /** What the default policy says is asked. */
    CONFIRM_SENSITIVE("confirm-sensitive"),
    /** Nobody is asked, but for what nobody can allow beforehand; rules that deny still hold. */
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
}
