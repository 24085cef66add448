package dev.agentloop.patch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Patches as models get them wrong, for programs whose functions resemble each other: each is
 * placed where it was meant, or refused. Which is which is known, because the right patch is.
 */
class SloppyPatchTest {
    private static final int ROUNDS = 15_000;

    /** What a model does to a patch. */
    private enum Slip {
        NONE,
        CONTEXT_WITHOUT_BLANK,
        SOME_CONTEXT_WITHOUT_BLANK,
        DEEPER,
        LESS_DEEP,
        TABS,
        STALE_CONTEXT,
        STALE_REMOVED,
        WRONG_ANCHOR,
        ANCHOR_WITHOUT_INDENT,
        WRONG_NUMBERS,
        DOUBLED_HEAD,
        NO_HEAD,
        BLANKS_AT_ENDS,
        BLANK_LINES_BEHIND
    }

    private static int excused;

    private final Map<Slip, int[]> outcomes = new EnumMap<>(Slip.class);

    @Test
    @DisplayName("15,000 sloppy patches: placed right or refused, never in a wrong place")
    void neverMisplaced() {
        Map<Slip, Integer> wrong = new EnumMap<>(Slip.class);
        Map<Slip, String> examples = new EnumMap<>(Slip.class);
        for (int seed = 0; seed < ROUNDS; seed++) {
            Slip slip = Slip.values()[seed % Slip.values().length];
            Case one = new Case(new Random(seed), slip);
            int[] counts = outcomes.computeIfAbsent(slip, _ -> new int[2]);
            String result;
            try {
                result = one.patched();
            } catch (PatchException e) {
                counts[1]++;
                continue;
            }
            counts[0]++;
            if (!result.equals(one.expected()) && !one.isMeantByItsWords()) {
                wrong.merge(slip, 1, Integer::sum);
                examples.putIfAbsent(slip, "seed " + seed + "\n" + one + "\n====\n" + result);
            }
        }
        assertEquals(Map.of(), wrong, () -> this + String.join("\n", examples.values()));
        outcomes.forEach((slip, counts) -> assertTrue(counts[0] + counts[1] > 0, slip::name));
        assertTrue(share(Slip.NONE) > 0.8, this::toString);
        assertTrue(share(Slip.CONTEXT_WITHOUT_BLANK) > 0.8, this::toString);
        assertTrue(share(Slip.DEEPER) > 0.6, this::toString);
        assertTrue(share(Slip.STALE_CONTEXT) > 0.3, this::toString);
        assertTrue(excused < ROUNDS / 200, excused + " were placed where their words stand");
    }

    private double share(Slip slip) {
        int[] counts = outcomes.getOrDefault(slip, new int[2]);
        return counts[0] / (double) (counts[0] + counts[1]);
    }

    @Override
    public String toString() {
        StringBuilder all = new StringBuilder();
        outcomes.forEach((slip, counts) ->
                all.append("%s: %d placed, %d refused%n".formatted(slip, counts[0], counts[1])));
        return all.toString();
    }

    /** A program, a change of it, and the patch for it with a slip. */
    private static final class Case {
        private final Random random;
        private final Slip slip;
        private final List<String> file = new ArrayList<>();
        private final List<String> disk;
        private final List<String> changed;
        private final int line; // that is replaced
        private final String body;

        Case(Random random, Slip slip) {
            this.random = random;
            this.slip = slip;
            int functions = 2 + random.nextInt(5);
            boolean classes = random.nextBoolean();
            for (int i = 0; i < functions; i++) {
                if (classes && i % 3 == 0) {
                    file.add("class C%d:".formatted(i));
                }
                function(i, classes ? "    " : "");
            }
            int at = random.nextInt(file.size());
            while (file.get(at).isBlank() || isHead(file.get(at))) {
                at = (at + 1) % file.size();
            }
            line = at;
            changed = new ArrayList<>(file);
            changed.set(at, file.get(at).replaceFirst("\\S.*", "changed = " + random.nextInt(9)));
            disk = new ArrayList<>(file);
            body = body();
        }

        private void function(int number, String indent) {
            file.add(indent + "def f%d(self):".formatted(number % 4));
            int lines = 1 + random.nextInt(5);
            for (int i = 0; i < lines; i++) {
                int depth = random.nextInt(3) == 0 ? 8 : 4;
                file.add(indent + " ".repeat(depth) + "step_%d()".formatted(random.nextInt(4)));
            }
            file.add(indent + "    return " + random.nextInt(3));
            if (random.nextBoolean()) {
                file.add("");
            }
        }

        private static boolean isHead(String text) {
            return text.strip().startsWith("def ") || text.startsWith("class ");
        }

        private String body() {
            int above = random.nextInt(4);
            int below = random.nextInt(4);
            int from = Math.max(0, line - above);
            int to = Math.min(file.size(), line + 1 + below);
            List<String> hunk = new ArrayList<>();
            for (int i = from; i < to; i++) {
                if (i == line) {
                    hunk.add("-" + file.get(i));
                    hunk.add("+" + changed.get(i));
                } else {
                    hunk.add(" " + file.get(i));
                }
            }
            slip(hunk, from, to);
            return head(from)
                    + String.join("\n", hunk)
                    + "\n"
                    + (slip == Slip.BLANK_LINES_BEHIND ? "\n\n" : "");
        }

        private void slip(List<String> hunk, int from, int to) {
            for (int i = 0; i < hunk.size(); i++) {
                String text = hunk.get(i);
                boolean context = text.startsWith(" ");
                hunk.set(
                        i,
                        switch (slip) {
                            case CONTEXT_WITHOUT_BLANK -> context ? text.substring(1) : text;
                            case SOME_CONTEXT_WITHOUT_BLANK ->
                                    context && random.nextBoolean() ? text.substring(1) : text;
                            case DEEPER ->
                                    text.length() > 1
                                            ? text.charAt(0) + "    " + text.substring(1)
                                            : text;
                            case LESS_DEEP ->
                                    text.charAt(0) + text.substring(1).replaceFirst("^    ", "");
                            case TABS -> text.charAt(0) + text.substring(1).replace("    ", "\t");
                            case BLANKS_AT_ENDS -> text.startsWith("+") ? text : text + "  ";
                            default -> text;
                        });
            }
            if (slip == Slip.STALE_CONTEXT && to - from > 1) {
                int stale = from + random.nextInt(to - from);
                if (stale != line && !file.get(stale).isBlank()) {
                    set(stale, file.get(stale) + " # now");
                }
            }
            if (slip == Slip.STALE_REMOVED) {
                disk.set(line, file.get(line).replaceFirst("\\S.*", "other = 1"));
            }
        }

        /** What was at a line has changed since the model read it; the patch leaves it so. */
        private void set(int at, String now) {
            disk.set(at, now);
            changed.set(at, now);
        }

        private String head(int from) {
            String anchor = "";
            for (int i = Math.min(from, line - 1); i >= 0 && anchor.isEmpty(); i--) {
                anchor = isHead(file.get(i)) ? file.get(i) : "";
            }
            return switch (slip) {
                case NO_HEAD -> "";
                case DOUBLED_HEAD -> "@@\n@@ " + anchor + "\n";
                case ANCHOR_WITHOUT_INDENT -> "@@ " + anchor.strip() + "\n";
                case WRONG_ANCHOR -> "@@ def gone_%d(self):\n".formatted(random.nextInt(5));
                case STALE_REMOVED -> "@@ " + anchor + "\n";
                case WRONG_NUMBERS ->
                        "@@ -%d,9 +%d,9 @@ %s\n".formatted(90 + random.nextInt(9), 1, anchor);
                default ->
                        random.nextBoolean() && !anchor.isEmpty() ? "@@ " + anchor + "\n" : "@@\n";
            };
        }

        /**
         * Whether the old lines, but for their indentation, stand once in the file, or once below
         * the line of the head: nobody could know that another place was meant.
         */
        boolean isMeantByItsWords() {
            List<String> old =
                    body.lines()
                            .filter(each -> each.startsWith(" ") || each.startsWith("-"))
                            .map(each -> each.substring(1))
                            .toList();
            boolean meant = isOnce(old, disk) || isOnce(bare(old), bare(disk));
            excused += meant ? 1 : 0;
            return meant;
        }

        private boolean isOnce(List<String> old, List<String> lines) {
            int places = 0;
            int below = 0;
            String function = "";
            for (int at = 0; at + old.size() <= lines.size(); at++) {
                function = isHead(lines.get(at)) ? lines.get(at).strip() : function;
                if (lines.subList(at, at + old.size()).equals(old)) {
                    places++;
                    below += !function.isEmpty() && body.contains(function) ? 1 : 0;
                }
            }
            return places == 1 || below == 1;
        }

        private static List<String> bare(List<String> lines) {
            return lines.stream().map(String::strip).toList();
        }

        String expected() {
            return slip == Slip.STALE_REMOVED ? "a refusal" : String.join("\n", changed) + "\n";
        }

        String patched() throws PatchException {
            String text = String.join("\n", disk) + "\n";
            String patch = "*** Begin Patch\n*** Update File: x\n" + body + "*** End Patch\n";
            Patch.Update update = (Patch.Update) PatchParser.parse(patch).sections().getFirst();
            return FilePatchTest.applied(text, FilePatch.of(text, update.hunks()).splices());
        }

        @Override
        public String toString() {
            return String.join("\n", disk) + "\n----\n" + body;
        }
    }
}
