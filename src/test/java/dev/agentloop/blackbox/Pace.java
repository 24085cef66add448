package dev.agentloop.blackbox;

import java.io.IOException;
import java.time.Duration;

/** How slow the machine is at this moment, by what a known program takes. */
final class Pace {
    private static final long USUAL_MILLIS = 150; // of java -version on an idle machine of CI
    private static final int TRIES = 3;

    private Pace() {}

    /** So long as {@code usual} takes when nothing else is running; never less than that. */
    static Duration of(Duration usual) {
        long slowest = USUAL_MILLIS;
        for (int i = 0; i < TRIES; i++) {
            slowest = Math.max(slowest, millisOfJava());
        }
        return usual.multipliedBy(slowest).dividedBy(USUAL_MILLIS);
    }

    private static long millisOfJava() {
        String java = System.getProperty("java.home") + "/bin/java";
        long start = System.nanoTime();
        try {
            new ProcessBuilder(java, "-version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return (System.nanoTime() - start) / 1_000_000;
    }
}
