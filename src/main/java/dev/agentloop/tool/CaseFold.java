package dev.agentloop.tool;

import java.text.Normalizer;
import java.util.Locale;

/**
 * Names as a file system without upper and lower case compares them. What must hold for every
 * spelling of a name compares folded names, on every file system: asking each folder which kind it
 * is costs more than being strict where it is not needed.
 */
public final class CaseFold {
    private CaseFold() {}

    /** Equal for names that such a file system takes for one. */
    public static String of(String name) {
        String upper = Normalizer.normalize(name, Normalizer.Form.NFD).toUpperCase(Locale.ROOT);
        return Normalizer.normalize(upper.toLowerCase(Locale.ROOT), Normalizer.Form.NFC);
    }
}
