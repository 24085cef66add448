package dev.agentloop.secret;

import dev.agentloop.json.Json;
import dev.agentloop.secret.pattern.Chars;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the model sees of secrets: {@code [[secret:NAME:…]]}, the same for the same secret as long
 * as the session lives. The digits are a keyed hash, so that they tell nothing about the value, and
 * nobody can write a placeholder that was never shown.
 */
public final class Placeholders {
    private static final String OPEN = "[[secret:";
    private static final String CLOSE = "]]";
    private static final int ID = 12; // hexadecimal digits of the value's hash
    private static final int CHECK = 8; // of the hash that shows that the rest is ours
    private static final int MAX_NAME = 64;

    private final Secrets secrets;
    private final @Nullable Supplier<byte[]> keys;
    private final Map<String, String> shown = new ConcurrentHashMap<>(); // placeholder to value
    private byte @Nullable [] key;

    private Placeholders(Secrets secrets, @Nullable Supplier<byte[]> keys) {
        this.secrets = secrets;
        this.keys = keys;
    }

    /**
     * @param key of the session; asked for when the first secret is found
     */
    public static Placeholders of(Secrets secrets, Supplier<byte[]> key) {
        return new Placeholders(secrets, key);
    }

    /** The model sees everything as it is. */
    public static Placeholders off() {
        return new Placeholders(Secrets.ofValues(Map.of()), null);
    }

    /** The text as the model may see it; the same instance if nothing in it is secret. */
    public String hide(String text) {
        return keys == null ? text : secrets.replace(text, this::placeholder);
    }

    /** The placeholders in a text that are ours; what only looks like one is not. */
    public Set<String> in(String text) {
        if (keys == null || !text.contains(OPEN)) {
            return Set.of();
        }
        Set<String> ours = new LinkedHashSet<>();
        for (int at = text.indexOf(OPEN); at >= 0; at = text.indexOf(OPEN, at + 1)) {
            int end = text.indexOf(CLOSE, at);
            if (end > 0 && isOurs(text.substring(at + OPEN.length(), end))) {
                ours.add(text.substring(at, end + CLOSE.length()));
            }
        }
        return ours;
    }

    /** The secret that a placeholder stands for, if the text holds it. */
    public Optional<String> valueIn(String text, String placeholder) {
        String value = shown.get(placeholder);
        if (value == null) { // shown before the session was resumed
            hide(text);
            value = shown.get(placeholder);
        }
        return Optional.ofNullable(value).filter(text::contains);
    }

    /** JSON with each placeholder replaced by its value. */
    public String reveal(String json, Map<String, String> values) {
        String revealed = json;
        for (Map.Entry<String, String> one : values.entrySet()) {
            String quoted = Json.quote(one.getValue());
            revealed = revealed.replace(one.getKey(), quoted.substring(1, quoted.length() - 1));
        }
        return revealed;
    }

    private String placeholder(String rawName, String value) {
        String name = plain(rawName);
        String id = mac("value", name, value, ID);
        String placeholder = OPEN + name + ":" + id + mac("check", name, id, CHECK) + CLOSE;
        shown.put(placeholder, value);
        return placeholder;
    }

    private boolean isOurs(String inside) {
        int colon = inside.indexOf(':');
        if (colon <= 0 || colon > MAX_NAME || inside.length() != colon + 1 + ID + CHECK) {
            return false;
        }
        String id = inside.substring(colon + 1, colon + 1 + ID);
        return inside.endsWith(mac("check", inside.substring(0, colon), id, CHECK));
    }

    private static String plain(String name) {
        StringBuilder plain = new StringBuilder(name);
        plain.setLength(Math.min(MAX_NAME, plain.length()));
        for (int i = 0; i < plain.length(); i++) {
            if (!Chars.WORD.has(plain.charAt(i))) {
                plain.setCharAt(i, '_');
            }
        }
        return plain.toString();
    }

    /** HMAC's two rounds over SHA-256; javax.crypto would cost 30 ms at its first use. */
    private String mac(String purpose, String name, String text, int digits) {
        byte[] message = (purpose + "\0" + name + "\0" + text).getBytes(StandardCharsets.UTF_8);
        byte[] outer = digest((byte) 0x5c, digest((byte) 0x36, message));
        return HexFormat.of().formatHex(outer).substring(0, digits);
    }

    private byte[] digest(byte pad, byte[] message) {
        byte[] block = new byte[64];
        byte[] secret = key();
        System.arraycopy(secret, 0, block, 0, Math.min(secret.length, block.length));
        for (int i = 0; i < block.length; i++) {
            block[i] ^= pad;
        }
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(block);
            return sha.digest(message);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private synchronized byte[] key() {
        if (key == null) {
            key = keys == null ? new byte[0] : keys.get();
        }
        return key;
    }
}
