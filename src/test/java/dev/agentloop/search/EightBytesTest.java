package dev.agentloop.search;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Eight bytes in a step see the same as one byte after another. */
class EightBytesTest {
    private static final byte[] FREQUENT = {0, 1, '\n', (byte) 0x80, (byte) 0xFF, 'a', '\t', 11};

    private final Random random = new Random();
    private final long seed = random.nextLong();

    @RepeatedTest(200)
    @DisplayName("zeros, what is not ASCII, counts and pairs, at every offset")
    void asByteByByte() {
        random.setSeed(seed);
        byte[] bytes = new byte[random.nextInt(5_000)];
        boolean plain = random.nextBoolean();
        for (int i = 0; i < bytes.length; i++) {
            boolean usual = plain && random.nextInt(bytes.length) > 1;
            bytes[i] = usual ? (byte) 'b' : FREQUENT[random.nextInt(FREQUENT.length)];
        }
        int from = random.nextInt(bytes.length + 1);
        int to = from + random.nextInt(bytes.length - from + 1);
        int zeros = 0;
        int feeds = 0;
        int others = 0;
        int pair = -1;
        for (int i = from; i < to; i++) {
            zeros += bytes[i] == 0 ? 1 : 0;
            feeds += bytes[i] == '\n' ? 1 : 0;
            others += bytes[i] < 0 ? 1 : 0;
            boolean isPair = i < to - 1 && bytes[i] == (byte) 0xFF && bytes[i + 1] == 'a';
            pair = pair < 0 && isPair ? i : pair;
        }
        String where = "seed " + seed + ", " + from + " to " + to;
        assertEquals(zeros > 0, EightBytes.hasZero(bytes, from, to), where);
        assertEquals(others == 0, EightBytes.isAscii(bytes, from, to), where);
        assertEquals(feeds, EightBytes.count(bytes, from, to, (byte) '\n'), where);
        assertEquals(pair, EightBytes.indexOf(bytes, from, to, 0xFF, 'a'), where);
    }

    @Test
    @DisplayName("more line ends than a byte can count")
    void manyOfThem() {
        byte[] feeds = "\n".repeat(70_000).getBytes(StandardCharsets.US_ASCII);
        assertEquals(70_000 - 3, EightBytes.count(feeds, 3, feeds.length, (byte) '\n'));
    }
}
