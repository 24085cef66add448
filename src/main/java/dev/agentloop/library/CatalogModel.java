package dev.agentloop.library;

import dev.agentloop.control.Cancellation;
import dev.agentloop.cost.Price;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import org.jspecify.annotations.Nullable;

/** A model of the catalog, with its price; see {@link Models}. */
public final class CatalogModel implements LlmAdapter {
    private final LlmAdapter llm;
    private final @Nullable Price price;

    CatalogModel(LlmAdapter llm, @Nullable Price price) {
        this.llm = llm;
        this.price = price;
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
