package dev.agentloop.library;

import dev.agentloop.control.Cancellation;
import dev.agentloop.cost.Price;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.replay.Tape;
import org.jspecify.annotations.Nullable;

/** A model of the catalog, with its price; see {@link Models}. */
public final class CatalogModel implements LlmAdapter {
    private final LlmAdapter llm;
    private final @Nullable Price price;
    private final Tape tape;

    CatalogModel(LlmAdapter llm, @Nullable Price price) {
        this(llm, price, Tape.NONE);
    }

    /**
     * @param tape that answers in the place of a model
     */
    CatalogModel(LlmAdapter llm, @Nullable Price price, Tape tape) {
        this.llm = llm;
        this.price = price;
        this.tape = tape;
    }

    Tape tape() {
        return tape;
    }

    /** What it costs; null when unknown. */
    public @Nullable Price price() {
        return price;
    }

    @Override
    public LlmResponse complete(
            LlmRequest request, LlmListener listener, Cancellation cancellation) {
        return llm.complete(request, listener, cancellation);
    }

    @Override
    public ModelInfo model() {
        return llm.model();
    }

    @Override
    public void close() {
        llm.close();
    }
}
