package dev.agentloop.blackbox;

import java.util.ArrayList;
import java.util.List;

/**
 * One message of a request, in words that are the same for all protocols.
 *
 * @param results what tools gave back, which are the user's words
 */
record Said(Who who, String text, List<Call> calls, List<Result> results, List<Picture> pictures) {
    /** Whose words they are. */
    enum Who {
        SYSTEM,
        USER,
        MODEL
    }

    /** A tool call; its arguments are JSON. */
    record Call(String id, String arguments) {}

    /** A result and the call that it answers. */
    record Result(String callId, String text, List<Picture> pictures) {}

    /** An image as it travels. */
    record Picture(String mediaType, String base64) {
        private static final String BASE64 = ";base64,";

        /** From {@code data:image/png;base64,...}. */
        static Picture of(String dataUrl) {
            int comma = dataUrl.indexOf(BASE64);
            if (!dataUrl.startsWith("data:") || comma < 0) {
                throw new AssertionError("not a data URL: " + dataUrl);
            }
            return new Picture(
                    dataUrl.substring("data:".length(), comma),
                    dataUrl.substring(comma + BASE64.length()));
        }
    }

    static Said text(Who who, String text) {
        return new Said(who, text, List.of(), List.of(), List.of());
    }

    static Said result(String callId, String text) {
        return result(callId, text, List.of());
    }

    static Said result(String callId, String text, List<Picture> pictures) {
        Result result = new Result(callId, text, pictures);
        return new Said(Who.USER, "", List.of(), List.of(result), List.of());
    }

    /** Those of the message and of the results in it. */
    List<Picture> allPictures() {
        List<Picture> all = new ArrayList<>(pictures);
        results.forEach(result -> all.addAll(result.pictures()));
        return all;
    }

    /** Whether it says anything but results. */
    boolean speaks() {
        return !text.isBlank() || !calls.isEmpty() || !pictures.isEmpty();
    }
}
