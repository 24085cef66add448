package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A thousand sequences of keys pressed at random while a run works, with pasted text, a terminal
 * that changes its width and a program that is stopped and continued.
 */
class ChatKeysIT {
    /** Without Ctrl-V and Ctrl-], which take the first character of a key for a text. */
    private static final String[] KEYS = {
        "Up", "Down", "Left", "Right", "Home", "End", "BSpace", "DC", "Tab", "C-a", "C-b", "C-d",
        "C-e", "C-f", "C-g", "C-h", "C-k", "C-l", "C-n", "C-o", "C-p", "C-q", "C-r", "C-s", "C-t",
        "C-u", "C-w", "C-y", "C-_", "M-b", "M-d", "M-f", "M-u", "M-Enter", "Enter"
    };

    /** Of which none leaves the chat at an empty prompt. */
    private static final String[] STOPPING = {
        "Up", "Down", "Left", "Home", "BSpace", "DC", "Tab", "C-a", "C-e", "C-k", "C-r", "C-t",
        "C-u", "C-w", "C-y", "M-b", "M-Enter", "Enter"
    };

    /** Exceptions, complaints of the library, halves of keys and of the terminal's own words. */
    private static final Pattern STRAY =
            Pattern.compile(
                    "Exception|\\tat |No such widget|\\^\\[|\\[\\d+[~;]|\\[\\?|\\[[A-D]\\b|\uFFFD");

    /** Any text of some lines, wherever the cursor is in it. */
    private static final String[] WIPE =
            Collections.nCopies(12, List.of("C-e", "C-u", "DC", "BSpace")).stream()
                    .flatMap(List::stream)
                    .toArray(String[]::new);

    private static final String PRINTS =
            "for i in $(seq 100000); do echo line $i; sleep 0.05; done";

    @Test
    @DisplayName("400 sequences while a command prints: no key is lost, and the chat answers")
    void commandPrints() {
        try (var model = ScriptedServer.chat(calls("run_command", "command", PRINTS));
                var world = World.with(model.thenForEver(says("Here I am."))).ordinary();
                var screen = working(world)) {
            press(screen.await("line 1"), new Keys(7, KEYS), 400);
            isAlive(screen);
        }
    }

    @Test
    @DisplayName("400 sequences while the model's answer comes word by word: likewise")
    void modelSpeaks() {
        try (var model = ScriptedServer.chat(ChatKeysIT::speak);
                var world = World.with(model.thenForEver(says("Here I am."))).ordinary();
                var screen = working(world)) {
            press(screen.await("word1"), new Keys(8, KEYS), 400);
            isAlive(screen);
        }
    }

    @Test
    @DisplayName("200 sequences that stop runs and begin others: likewise")
    void runsAreStopped() {
        try (var model = ScriptedServer.chat().thenForEver(ChatKeysIT::speak);
                var world = World.with(model.allowingCompaction()).ordinary();
                var screen = working(world)) {
            Keys keys = new Keys(9, STOPPING);
            screen.await("word1");
            for (int i = 1; i <= 200; i++) {
                screen.keys(keys.next());
                if (i % 10 == 0) {
                    screen.keys("C-g", "C-l").keys("Escape");
                    awaitPrompt(screen);
                    screen.type("and again").keys("Enter").awaitLine("+");
                }
            }
            model.thenForEver(says("Here I am."));
            isAlive(screen);
        }
    }

    @Test
    @DisplayName("behind Ctrl-Z and fg the typed text goes on, and pasted lines are one text")
    void stoppedAndContinued() {
        try (var model = ScriptedServer.chat(says("Here."), says("Here again."));
                var world = World.with(model).ordinary();
                var screen = working(world)) {
            screen.await("Here.").awaitLine(">").type("begun ").await("> begun");
            screen.stopAndContinue().await("fg\nsh ../chat.sh\n> begun");
            screen.paste("one\ntwo").await("> begun one\n  two").keys("Enter").await("Here again.");
        }
    }

    private static TmuxScreen working(World world) {
        return TmuxScreen.chatInShell(world, 60, 24, "--yolo", "--sandbox=off", "begin");
    }

    /** For ever: until the run is stopped. */
    private static void speak(Exchange exchange) throws IOException {
        exchange.replyWithoutEnd(says("Word by word. "));
        for (int i = 0; true; i++) {
            String word = "word" + i + (i % 20 == 19 ? "\\n\\n" : " ");
            exchange.raw(
                    "data: {\"id\":\"1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\""
                            + word
                            + "\"}}]}\n\n");
            Await.holdsWithin(Duration.ofMillis(10), () -> false);
        }
    }

    /** What a person who has gone mad presses; the same for the same seed. */
    private static final class Keys {
        private final Random random;
        private final String[] names;

        Keys(long seed, String[] names) {
            System.out.println("keys: seed " + seed);
            random = new Random(seed);
            this.names = names;
        }

        String[] next() {
            String[] sequence = new String[1 + random.nextInt(6)];
            for (int i = 0; i < sequence.length; i++) {
                sequence[i] = random.nextBoolean() ? names[random.nextInt(names.length)] : letter();
            }
            return sequence;
        }

        private String letter() {
            return "" + (char) ('a' + random.nextInt(26));
        }

        int columns() {
            return 40 + random.nextInt(60);
        }
    }

    private static void press(TmuxScreen screen, Keys keys, int sequences) {
        for (int i = 1; i <= sequences; i++) {
            screen.keys(keys.next());
            if (i % 20 == 0) {
                screen.columns(keys.columns());
            }
            if (i % 30 == 0) {
                screen.paste("pasted one\npasted two\n");
            }
            if (i % 50 == 0) {
                typesWhole(screen, "whole text " + i);
            }
        }
    }

    /** Types something known while the width changes. */
    private static void typesWhole(TmuxScreen screen, String text) {
        wipe(screen).type(text).columns(70).awaitLine("+ " + text + "\n");
    }

    /** Takes the queue back, text by text; then nothing is typed. */
    private static TmuxScreen wipe(TmuxScreen screen) {
        screen.keys("C-g", "C-g");
        for (int i = 0; i < 200 && screen.keys(WIPE).text().contains("queued: "); i++) {
            screen.keys("Up");
        }
        return screen.keys(WIPE);
    }

    /** Stops what runs, and asks the model something. */
    private static void isAlive(TmuxScreen screen) {
        String before = screen.history();
        wipe(screen).keys("C-l").keys("C-c");
        awaitPrompt(screen);
        screen.type("are you there?").await("are you there?").keys("Enter").await("Here I am.");
        String all = before + screen.history();
        assertFalse(STRAY.matcher(all).find(), all);
    }

    private static void awaitPrompt(TmuxScreen screen) {
        Await.until(
                "the prompt behind the end of the run",
                () -> {
                    String text = screen.text();
                    return text.contains("Stopped by you")
                            && text.lastIndexOf("\n>") > text.lastIndexOf("Stopped by you");
                },
                screen::text);
    }
}
