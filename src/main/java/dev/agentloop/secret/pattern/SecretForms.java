package dev.agentloop.secret.pattern;

import dev.agentloop.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The spellings in which a known value turns up. */
public final class SecretForms {
    private static final int BITS = 6; // of a base64 character
    private static final String HEX = "0123456789ABCDEF";

    private SecretForms() {}

    public static List<Trigger> of(String name, String value) {
        Set<String> literals = new LinkedHashSet<>();
        literals.add(value);
        String json = Json.quote(value);
        literals.add(json.substring(1, json.length() - 1));
        literals.add(json.substring(1, json.length() - 1).replace("/", "\\/")); // as PHP writes it
        String html = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        literals.add(html); // as a text of a page, and in an attribute
        literals.add(html.replace("\"", "&quot;"));
        for (String unreserved : new String[] {"-._~", "-._*", "-._~!*'()"}) {
            String upper = percent(value, unreserved, "%20");
            literals.add(upper);
            literals.add(upper.replace("%20", "+"));
            literals.add(lowerEscapes(upper));
            literals.add(lowerEscapes(upper.replace("%20", "+")));
        }
        List<Trigger> forms = new ArrayList<>();
        for (String literal : literals) {
            forms.add(new Literal(literal, name));
        }
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        for (int offset = 0; offset < 3; offset++) {
            forms.addAll(base64(name, bytes, offset));
        }
        return forms;
    }

    /** As it comes out behind {@code offset} other bytes, in both alphabets. */
    private static Set<Encoded> base64(String name, byte[] value, int offset) {
        byte[] shifted = new byte[offset + value.length];
        System.arraycopy(value, 0, shifted, offset, value.length);
        int from = (offset * 8 + BITS - 1) / BITS;
        int to = shifted.length * 8 / BITS;
        boolean tail = shifted.length * 8 % BITS != 0;
        Set<Encoded> forms = new LinkedHashSet<>();
        for (Base64.Encoder encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
            String text = encoder.encodeToString(shifted);
            forms.add(new Encoded(text.substring(from, to), offset > 0, tail, name));
        }
        return forms;
    }

    /** Encoders differ in what they leave as it is. */
    private static String percent(String value, String unreserved, String space) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xFF);
            if (Chars.ALNUM.has(c) || unreserved.indexOf(c) >= 0) {
                encoded.append(c);
            } else if (c == ' ') {
                encoded.append(space);
            } else {
                encoded.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xF));
            }
        }
        return encoded.toString();
    }

    private static String lowerEscapes(String encoded) {
        StringBuilder lower = new StringBuilder(encoded);
        for (int i = encoded.indexOf('%'); i >= 0; i = encoded.indexOf('%', i + 3)) {
            lower.setCharAt(i + 1, Character.toLowerCase(encoded.charAt(i + 1)));
            lower.setCharAt(i + 2, Character.toLowerCase(encoded.charAt(i + 2)));
        }
        return lower.toString();
    }
}
