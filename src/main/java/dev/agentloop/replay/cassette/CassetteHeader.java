package dev.agentloop.replay.cassette;

import dev.agentloop.message.Image;
import dev.agentloop.message.Usage;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The first line of a cassette: whose run it is, and all that decides how it goes.
 *
 * @param format always {@link #FORMAT}
 * @param version of the format; a reader refuses a higher one
 * @param app version of the program that wrote it
 * @param task as the person gave it; empty when a session went on by itself
 * @param model {@code provider/model} that was chosen
 * @param baseUrl of its server; empty when it is the provider's own
 * @param agent profile that worked
 * @param config the configuration in force, as the text of a configuration file
 * @param options of the command line that decide about the run, by name
 * @param answerSchema JSON schema of the answer; null for none
 * @param images shown with the task
 * @param earlier what the session had used before; null for a new one
 * @param places folders of the machine, by a name for each: they differ on another one
 */
public record CassetteHeader(
        String format,
        int version,
        String app,
        Instant recorded,
        String sessionId,
        String task,
        String model,
        String baseUrl,
        String agent,
        boolean mixed,
        boolean dryRun,
        boolean stream,
        String config,
        Map<String, List<String>> options,
        @Nullable String answerSchema,
        List<Image> images,
        @Nullable Earlier earlier,
        Map<String, String> places) {
    /** What the first field of a cassette says. */
    public static final String FORMAT = "agent-cassette";

    /** The newest version that is known here. Older ones stay readable, or are named in errors. */
    public static final int VERSION = 1;

    /** Of a recording that has a model and nothing else. */
    public static CassetteHeader ofModel(
            String app, Instant recorded, String model, Map<String, String> places) {
        return new CassetteHeader(
                FORMAT, VERSION, app, recorded, "", "", model, "", "", false, false, true, "",
                Map.of(), null, List.of(), null, places);
    }

    /** What a session had used when the run began. */
    public record Earlier(
            Usage usage,
            @Nullable BigDecimal usd,
            long heldTokens,
            BigDecimal heldUsd,
            long estimate,
            long counted) {}
}
