package dev.agentloop.output;

/**
 * A text that comes in pieces, made safe as {@link SafeText#block} does it: an emoji may be spread
 * over two of them, even in the middle of a character.
 */
final class SafePieces {
    private String before = ""; // the last character that was shown
    private String half = ""; // of a character whose other half is to come

    /** What may be shown now. */
    String add(String piece) {
        String text = half + piece;
        boolean broken = Character.isHighSurrogate(text.charAt(text.length() - 1));
        half = broken ? text.substring(text.length() - 1) : "";
        String whole = text.substring(0, text.length() - half.length());
        String shown = SafeText.block(before + whole).substring(SafeText.block(before).length());
        if (!whole.isEmpty()) {
            before = whole.substring(whole.offsetByCodePoints(whole.length(), -1));
        }
        return shown;
    }

    /** What was held back; the next piece begins another text. */
    String end() {
        String rest = SafeText.block(half);
        half = "";
        before = "";
        return rest;
    }
}
