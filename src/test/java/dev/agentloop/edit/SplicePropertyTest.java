package dev.agentloop.edit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bytes outside of an edit are identical, whatever the encoding and the line ends. */
class SplicePropertyTest {
    private static final int ROUNDS = 300;
    private static final String LATIN = "abc éüß\t (){};\u00A0";
    private static final String WIDE = LATIN + "€漢字😀—’";

    @ParameterizedTest
    @EnumSource(TextEncoding.class)
    @Tag("B09")
    @Tag("B10")
    @Tag("scenario-46")
    @DisplayName("untouched bytes are identical")
    void untouchedBytesAreIdentical(TextEncoding encoding) throws EditException {
        Random random = new Random(46); // one seed, so that a failure can be repeated
        for (int round = 0; round < ROUNDS; round++) {
            String alphabet = encoding == TextEncoding.ISO_8859_1 ? LATIN : WIDE;
            String before = text(random, alphabet);
            String old = "<<" + line(random, alphabet) + ">>";
            String after = text(random, alphabet);
            String with = "[" + line(random, alphabet) + "]";
            byte[] bytes = bytes(encoding, before + old + after);
            TextFile file = TextFile.of(bytes).orElseThrow();
            assertEquals(encoding, file.encoding(), "round " + round);
            EditPlan plan = EditPlan.of(file.text(), new EditPlan.Replacement(old, with, false));
            assertArrayEquals(
                    bytes(encoding, before + with + after),
                    file.spliced(plan.splices()),
                    "round " + round);
        }
    }

    @ParameterizedTest
    @EnumSource(TextEncoding.class)
    @Tag("scenario-46")
    @DisplayName("each line keeps its own line end when the model sends line feeds")
    void eachLineKeepsItsOwnLineEnd(TextEncoding encoding) throws EditException {
        Random random = new Random(47);
        for (int round = 0; round < ROUNDS; round++) {
            String[] ends = new String[4];
            Arrays.setAll(ends, _ -> random.nextBoolean() ? "\r\n" : "\n");
            String file =
                    "é first" + ends[0] + "old one" + ends[1] + "old two" + ends[2] + "last"
                            + ends[3];
            String wanted =
                    "é first" + ends[0] + "new one" + ends[1] + "new two" + ends[2] + "last"
                            + ends[3];
            TextFile text = TextFile.of(bytes(encoding, file)).orElseThrow();
            EditPlan plan =
                    EditPlan.of(
                            text.text(),
                            new EditPlan.Replacement(
                                    "old one\nold two\n", "new one\nnew two\n", false));
            assertArrayEquals(bytes(encoding, wanted), text.spliced(plan.splices()));
        }
    }

    private static byte[] bytes(TextEncoding encoding, String text) {
        int[] mark =
                switch (encoding) {
                    case UTF_8_BOM -> new int[] {0xEF, 0xBB, 0xBF};
                    case UTF_16LE -> new int[] {0xFF, 0xFE};
                    case UTF_16BE -> new int[] {0xFE, 0xFF};
                    default -> new int[0];
                };
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int b : mark) {
            out.write(b);
        }
        out.writeBytes(encoding.encode(text).orElseThrow());
        return out.toByteArray();
    }

    private static String text(Random random, String alphabet) {
        StringBuilder text = new StringBuilder("é"); // never pure ASCII, never valid as UTF-8
        for (int i = random.nextInt(8); i > 0; i--) {
            text.append(line(random, alphabet));
            text.append(List.of("\n", "\r\n", "\r", "  \n", "").get(random.nextInt(5)));
        }
        return text.toString();
    }

    private static String line(Random random, String alphabet) {
        int[] points = alphabet.codePoints().toArray();
        StringBuilder line = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            line.appendCodePoint(points[random.nextInt(points.length)]);
        }
        return line.toString();
    }
}
