package dev.agentloop.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** A file that has a text in it passes the first look, wherever the text is. */
class FirstLookTest {
    private static final int PART = 64 * 1024 + ByteRun.LONGEST;
    private static final List<String> TEXTS =
            List.of(
                    "needle",
                    "ab",
                    "aab",
                    "a{2}bab",
                    "login\\(4[0-9]77\\);",
                    "x[ab]{9}y",
                    "(?i)Service",
                    "zz|qq|ab{3}a",
                    "abababababababababababababababababababababababababababababababababab",
                    "q" + "[a-z]".repeat(50) + "z");

    private final Random random = new Random();
    private final long seed = random.nextLong();

    @RepeatedTest(300)
    @DisplayName("it says what a search byte by byte says, for texts of few letters")
    void asTheSearchByteByByte() throws IOException {
        random.setSeed(seed);
        String pattern = TEXTS.get(random.nextInt(TEXTS.size()));
        LineQuery query = new LineQuery(Pattern.compile(pattern), 0, 1, 1_000);
        byte[] text = new byte[random.nextInt(random.nextBoolean() ? 60 : 3 * PART)];
        boolean few = random.nextInt(3) == 0;
        for (int i = 0; i < text.length; i++) {
            text[i] = few ? (byte) ("ab\n".charAt(random.nextInt(3))) : (byte) '.';
        }
        if (random.nextBoolean()) {
            byte[] hit = sample(pattern).getBytes(StandardCharsets.US_ASCII);
            int edge = random.nextInt(4) * PART - random.nextInt(200);
            int place = random.nextBoolean() ? random.nextInt(text.length + 1) : edge;
            int at = Math.max(0, Math.min(place, text.length - hit.length));
            System.arraycopy(hit, 0, text, at, Math.min(hit.length, text.length - at));
        }
        boolean found =
                query.searches().stream().anyMatch(run -> run.find(text, 0, text.length) >= 0);
        assertEquals(found, mayMatch(query, text), "seed " + seed + ", " + pattern);
    }

    @Test
    @DisplayName("UTF-16, a zero in the first of several parts and a long s pass without a hit")
    void whatOnlyTheSearchKnows() throws IOException {
        LineQuery query = new LineQuery(Pattern.compile("needle"), 0, 1, 1_000);
        assertTrue(mayMatch(query, "\uFEFFneedle".getBytes(StandardCharsets.UTF_16LE)));
        assertTrue(mayMatch(query, "\uFEFFneedle".getBytes(StandardCharsets.UTF_16BE)));
        byte[] binary = "x".repeat(3 * PART).getBytes(StandardCharsets.US_ASCII);
        binary[PART - 9] = 0;
        assertTrue(mayMatch(query, binary));
        Pattern folded =
                Pattern.compile("service", Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
        assertTrue(
                mayMatch(
                        new LineQuery(folded, 0, 1, 1_000),
                        "a \u017fervice".getBytes(StandardCharsets.UTF_8)));
    }

    /** Some text that the pattern matches. */
    private static String sample(String pattern) {
        return switch (pattern) {
            case "a{2}bab" -> "aabab";
            case "login\\(4[0-9]77\\);" -> "login(4377);";
            case "x[ab]{9}y" -> "xababababay";
            case "(?i)Service" -> "sERVIce";
            case "zz|qq|ab{3}a" -> "qq";
            default -> pattern.replace("[a-z]", "k");
        };
    }

    private boolean mayMatch(LineQuery query, byte[] text) throws IOException {
        SearchDeadline deadline = new SearchDeadline(Duration.ofMinutes(1), new Cancellation());
        List<ByteSearch> searches = query.searches();
        assertTrue(!searches.isEmpty() && searches.stream().allMatch(ByteSearch::isForWords));
        FirstLook look = new FirstLook(searches, deadline);
        look.mayMatch(inPieces("abneedle".getBytes(StandardCharsets.US_ASCII)), 8); // used before
        return look.mayMatch(inPieces(text), random.nextBoolean() ? text.length : 0);
    }

    /** Gives a few bytes at a time, as a slow disk would. */
    private ReadableByteChannel inPieces(byte[] text) {
        ReadableByteChannel whole = Channels.newChannel(new ByteArrayInputStream(text));
        int most = 1 + random.nextInt(PART);
        return new ReadableByteChannel() {
            @Override
            public int read(ByteBuffer into) throws IOException {
                int limit = into.limit();
                into.limit(Math.min(limit, into.position() + most));
                int n = whole.read(into);
                into.limit(limit);
                return n;
            }

            @Override
            public boolean isOpen() {
                return whole.isOpen();
            }

            @Override
            public void close() throws IOException {
                whole.close();
            }
        };
    }
}
