package dev.agentloop.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes JSON text. Strict: duplicate keys and trailing text are errors, because a check
 * and an executor must never see two different documents in one text.
 */
public final class Json {
    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    private Json() {}

    /** Parses one JSON document. */
    public static JsonValue parse(String text) throws JsonException {
        try (JsonParser parser = FACTORY.createParser(text)) {
            return readAll(parser);
        } catch (IOException e) {
            throw new JsonException(e);
        }
    }

    /** Parses one JSON document from UTF-8 bytes. */
    public static JsonValue parse(byte[] utf8, int offset, int length) throws JsonException {
        try (JsonParser parser = FACTORY.createParser(utf8, offset, length)) {
            return readAll(parser);
        } catch (IOException e) {
            throw new JsonException(e);
        }
    }

    public static JsonValue parse(byte[] utf8) throws JsonException {
        return parse(utf8, 0, utf8.length);
    }

    /** A writer of UTF-8 JSON; the caller closes it. */
    public static JsonGenerator writer(OutputStream out) {
        try {
            return FACTORY.createGenerator(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Something that writes one JSON document. */
    @FunctionalInterface
    public interface Writing {
        void to(JsonGenerator json) throws IOException;
    }

    /** The UTF-8 bytes of what {@code writing} writes. */
    public static byte[] bytes(Writing writing) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(512);
        try (JsonGenerator json = writer(out)) {
            writing.to(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail: a bug in the caller
        }
        return out.toByteArray();
    }

    /** What {@code writing} writes, as text. */
    public static String text(Writing writing) {
        return new String(bytes(writing), StandardCharsets.UTF_8);
    }

    /** {@code text} as a JSON string literal with its quotes. */
    public static String quote(String text) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }

    /** Text that can be written as UTF-8: lone surrogates become U+FFFD. */
    public static String wellFormed(String text) {
        StringBuilder mended = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Character.isSurrogate(c)) {
                continue;
            }
            if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
                continue;
            }
            if (mended == null) {
                mended = new StringBuilder(text);
            }
            mended.setCharAt(i, '\uFFFD');
        }
        return mended == null ? text : mended.toString();
    }

    private static JsonValue readAll(JsonParser parser) throws IOException, JsonException {
        if (parser.nextToken() == null) {
            throw new JsonException("empty text, expected a JSON value", 1, 1);
        }
        Object value = read(parser);
        if (parser.nextToken() != null) {
            throw new JsonException(
                    "more text after the JSON value",
                    parser.currentTokenLocation().getLineNr(),
                    parser.currentTokenLocation().getColumnNr());
        }
        return new JsonValue(value);
    }

    private static @Nullable Object read(JsonParser parser) throws IOException {
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> readObject(parser);
            case START_ARRAY -> readArray(parser);
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT -> parser.getNumberValue();
            case VALUE_NUMBER_FLOAT -> finite(parser);
            case VALUE_TRUE -> Boolean.TRUE;
            case VALUE_FALSE -> Boolean.FALSE;
            default -> null; // VALUE_NULL; the other tokens cannot start a value
        };
    }

    /** What is out of a double's range most programs cannot read, and exact sums never end. */
    private static JsonNumber finite(JsonParser parser) throws IOException {
        double nearest = parser.getDoubleValue();
        String text = parser.getText();
        if (Double.isInfinite(nearest)) {
            throw new JsonException.BadNumber(parser, "the number is too large");
        }
        if (nearest == 0 && exact(parser, text).signum() != 0) {
            throw new JsonException.BadNumber(parser, "the number is too small");
        }
        return new JsonNumber(text, nearest);
    }

    /** Of a number other than zero, a double's range keeps the exponent short enough. */
    private static BigDecimal exact(JsonParser parser, String number) throws IOException {
        try {
            return new BigDecimal(number);
        } catch (NumberFormatException e) {
            throw new JsonException.BadNumber(parser, "the exponent of the number is too large");
        }
    }

    private static Map<String, @Nullable Object> readObject(JsonParser parser) throws IOException {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            parser.nextToken();
            object.put(key, read(parser));
        }
        return object;
    }

    private static List<@Nullable Object> readArray(JsonParser parser) throws IOException {
        List<@Nullable Object> array = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            array.add(read(parser));
        }
        return array;
    }
}
