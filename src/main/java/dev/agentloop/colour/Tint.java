package dev.agentloop.colour;

/**
 * What is coloured. On the usual backgrounds each colour has a contrast of at least 4.5, which
 * people with weak eyes need to read a text.
 */
public enum Tint {
    ADDED("32", 0x6FD38A, 0x1A7330),
    REMOVED("31", 0xFF8A80, 0xB3261E),
    CODE("36", 0x7FD4E8, 0x0B6680),
    KEYWORD("35", 0xD7A6FF, 0x7A45B0),
    STRING("32", 0xA8D98A, 0x3B701E),
    NUMBER("33", 0xF2B866, 0x8A5000),
    TYPE("36", 0x8AB8FF, 0x1F5AB5),
    COMMENT("2", 0xA0A6AD, 0x5C656E);

    private final String own;
    private final int onDark;
    private final int onLight;

    Tint(String own, int onDark, int onLight) {
        this.own = own;
        this.onDark = onDark;
        this.onLight = onLight;
    }

    /** Parameter of SGR for the colour that the terminal itself has for it. */
    String own() {
        return own;
    }

    /** Red, green and blue, a byte each. */
    int on(Background background) {
        return background == Background.LIGHT ? onLight : onDark;
    }
}
