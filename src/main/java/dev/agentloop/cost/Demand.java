package dev.agentloop.cost;

/**
 * What a model call asks of the {@link Ledger}.
 *
 * @param prompt most tokens that its prompt can have
 * @param output tokens that its reply may have; 0 leaves it to the model, where there is no cap
 * @param least tokens without which the reply would be of no use
 * @param closing whether it is the closing call, which may use what was kept back for it
 */
public record Demand(long prompt, int output, int least, boolean closing) {}
