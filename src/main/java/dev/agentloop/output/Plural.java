package dev.agentloop.output;

/** Numbers of things, for people. */
public final class Plural {
    private Plural() {}

    /**
     * Such as {@code 1 step} and {@code 2 steps}.
     *
     * @param noun takes an s for any other number than one
     */
    public static String of(long count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }
}
