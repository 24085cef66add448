package dev.agentloop.colour;

import java.util.Map;
import org.jline.utils.Colors;

/**
 * How text is coloured on one terminal.
 *
 * @param depth how many colours can be shown
 * @param background that they are for; {@code UNKNOWN}: the terminal's own 16 colours are used,
 *     which its owner has set for it
 */
public record Colours(Depth depth, Background background) {
    /** No text is coloured. */
    public static final Colours NONE = new Colours(Depth.NONE, Background.UNKNOWN);

    /** The terminal's own 16. */
    public static final Colours OWN = new Colours(Depth.SIXTEEN, Background.UNKNOWN);

    private static final String ESC = "\u001b[";
    private static final int PALETTE = 256;

    /** How many colours a terminal has. */
    public enum Depth {
        NONE,
        SIXTEEN,
        PALETTE,
        TRUE
    }

    /**
     * What a theme is on a terminal that has colours.
     *
     * @param said the background, as far as the terminal says it
     */
    public static Colours of(Theme theme, Background said, Map<String, String> environment) {
        return switch (theme) {
            case PLAIN -> NONE;
            case TERMINAL -> OWN;
            case DARK -> new Colours(depth(environment), Background.DARK);
            case LIGHT -> new Colours(depth(environment), Background.LIGHT);
            case AUTO -> new Colours(depth(environment), said);
        };
    }

    private static Depth depth(Map<String, String> environment) {
        String type = environment.getOrDefault("TERM", "");
        return switch (environment.getOrDefault("COLORTERM", "")) {
            case "truecolor", "24bit" -> Depth.TRUE;
            default ->
                    type.endsWith("-direct")
                            ? Depth.TRUE
                            : type.contains("256color") ? Depth.PALETTE : Depth.SIXTEEN;
        };
    }

    /** Whether this terminal is shown colours and other looks, such as bold and dim. */
    public boolean areShown() {
        return depth != Depth.NONE;
    }

    /** Whether the terminal's background, which is not known, would make a difference. */
    public boolean needsBackground() {
        return background == Background.UNKNOWN && (depth == Depth.PALETTE || depth == Depth.TRUE);
    }

    /** Parameters of SGR; empty where nothing is coloured. */
    public String parameters(Tint tint) {
        if (depth == Depth.NONE) {
            return "";
        }
        if (depth == Depth.SIXTEEN || background == Background.UNKNOWN) {
            return tint.own();
        }
        int colour = tint.on(background);
        int red = colour >> 16;
        int green = colour >> 8 & 0xFF;
        int blue = colour & 0xFF;
        return depth == Depth.TRUE
                ? "38;2;" + red + ";" + green + ";" + blue
                : "38;5;" + Colors.roundRgbColor(red, green, blue, PALETTE);
    }

    /**
     * The text with the sequences before and behind it that colour it; itself where none are shown.
     */
    public String in(Tint tint, String text) {
        return depth == Depth.NONE || text.isEmpty()
                ? text
                : ESC + parameters(tint) + "m" + text + ESC + "0m";
    }
}
