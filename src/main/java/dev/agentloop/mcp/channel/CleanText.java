package dev.agentloop.mcp.channel;

import dev.agentloop.message.Deceptive;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Text of a server without what nobody would see: control characters, marks that change the reading
 * direction, and letters without width, in which instructions can hide.
 */
public final class CleanText {
    private static final int DESCRIPTION = 2_048; // bytes; longer ones are cut

    private CleanText() {}

    /** Line feeds and tabs stay. */
    public static String of(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints()
                .forEach(c -> {
                    if (c == '\n' || c == '\t' || !Deceptive.is(c)) {
                        clean.appendCodePoint(c);
                    } else if (Character.isSpaceChar(c)) {
                        clean.append(' '); // words must not run together
                    }
                });
        return clean.toString();
    }

    public static String oneLine(String text) {
        return of(text).replaceAll("[\\n\\t]+", " ");
    }

    /**
     * All texts of a JSON value and the names in it.
     *
     * @throws McpException if two names would become one
     */
    public static @Nullable Object json(@Nullable Object value) throws McpException {
        if (value instanceof String text) {
            return of(text);
        }
        if (value instanceof List<?> items) {
            List<@Nullable Object> clean = new ArrayList<>();
            for (Object item : items) {
                clean.add(json(item));
            }
            return clean;
        }
        if (value instanceof Map<?, ?> fields) {
            Map<String, @Nullable Object> clean = new LinkedHashMap<>();
            for (Map.Entry<?, ?> field : fields.entrySet()) {
                String name = of(String.valueOf(field.getKey()));
                if (clean.containsKey(name)) {
                    throw new McpException(
                            "two names in its schema differ only in characters that are not seen");
                }
                clean.put(name, json(field.getValue()));
            }
            return clean;
        }
        return value;
    }

    /** A description for the model, at most 2 KB. */
    public static String description(String text) {
        String clean = of(text).strip();
        int bytes = 0;
        for (int i = 0; i < clean.length(); ) {
            int c = clean.codePointAt(i);
            bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
            if (bytes > DESCRIPTION - 3) { // three for the dots
                return clean.substring(0, i) + "…";
            }
            i += Character.charCount(c);
        }
        return clean;
    }
}
