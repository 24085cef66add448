package dev.agentloop.library;

import dev.agentloop.library.run.LibraryVersion;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.replay.ModelTape;
import dev.agentloop.replay.Tape;
import dev.agentloop.replay.cassette.Cassette;
import dev.agentloop.replay.cassette.CassetteException;
import dev.agentloop.replay.cassette.CassetteHeader;
import dev.agentloop.replay.cassette.CassetteReader;
import dev.agentloop.secret.Secrets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;

/**
 * Conversations on file, to be held again without a model: what it said is read from the cassette,
 * everything else is real. Secrets are kept out of it: those of the environment, and those that the
 * builder of the loop was told; held again, the loop is told them, too. A request that is not the
 * recorded one ends the run with a {@link LoopException.Provider} that names the difference.
 *
 * <pre>{@code
 * try (Recording recording = Cassettes.record(file, llm);
 *         AgentLoop agent = AgentLoop.builder(llm, context).tape(recording::tape).build()) {
 *     agent.runText("Plan a trip.");
 * }
 * LlmAdapter again = Cassettes.replay(file);
 * }</pre>
 */
public final class Cassettes {
    private static final String NO_MODEL = "recorded/unknown";

    private Cassettes() {}

    /**
     * Begins a cassette; an existing file is replaced.
     *
     * @throws UncheckedIOException if it cannot be written
     */
    public static Recording record(Path file, LlmAdapter llm) {
        return record(file, llm, Map.of());
    }

    /**
     * The same of an agent that works in this folder, so that it can be held again in another one.
     *
     * @throws UncheckedIOException if it cannot be written, or there is no such folder
     */
    public static Recording record(Path file, LlmAdapter llm, Path workspace) {
        return record(file, llm, places(workspace));
    }

    private static Recording record(Path file, LlmAdapter llm, Map<String, String> places) {
        CassetteHeader header =
                CassetteHeader.ofModel(
                        LibraryVersion.text(), Instant.now(), llm.model().id(), places);
        try {
            return new Recording(file, header, secrets()::mask);
        } catch (CassetteException e) {
            throw new UncheckedIOException(new IOException(e.getMessage(), e));
        }
    }

    /**
     * The model of a cassette, at its price of today, for one conversation that is held as it was.
     *
     * @throws UncheckedIOException if the file is no cassette, or its recording never ended
     */
    public static CatalogModel replay(Path file) {
        return replay(file, Map.of());
    }

    /**
     * The same for an agent that works in this folder; it was recorded with a folder, too.
     *
     * @throws UncheckedIOException as {@link #replay(Path)}, or if there is no such folder
     */
    public static CatalogModel replay(Path file, Path workspace) {
        return replay(file, places(workspace));
    }

    private static Map<String, String> places(Path workspace) {
        try {
            return Map.of("workspace", workspace.toRealPath().toString());
        } catch (IOException e) {
            throw new UncheckedIOException("the workspace " + workspace + " cannot be used", e);
        }
    }

    private static CatalogModel replay(Path file, Map<String, String> places) {
        try {
            Cassette cassette = CassetteReader.read(file);
            if (cassette.end().isEmpty()) {
                throw new CassetteException(
                        file + " is not whole: its recording never ended. Record it again.");
            }
            ModelInfo model = model(cassette.header().model());
            Tape tape = new ModelTape(cassette, model, secrets()::mask, places);
            LlmAdapter recorded =
                    tape.llm(() -> {
                        throw new IllegalStateException("a cassette asks no model");
                    });
            return new CatalogModel(recorded, Models.price(model.id()), tape);
        } catch (CassetteException e) {
            throw new UncheckedIOException(new IOException(e.getMessage(), e));
        }
    }

    /** A cassette is made to be kept beside the code: it never holds what is secret. */
    private static Secrets secrets() {
        return Secrets.of(System.getenv());
    }

    private static ModelInfo model(String id) {
        String known = id.contains("/") ? id : NO_MODEL;
        int slash = known.indexOf('/');
        return new ModelInfo(known.substring(0, slash), known.substring(slash + 1), 0, 0);
    }
}
