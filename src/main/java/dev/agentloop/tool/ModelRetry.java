package dev.agentloop.tool;

/**
 * Thrown by a tool whose call was nearly right: the model reads the hint as the result of the call
 * and may try again. It never ends a run.
 *
 * <pre>{@code
 * if (!country.matches("[A-Z]{2}")) {
 *     throw new ModelRetry("Use a country's ISO code, e.g. DE.");
 * }
 * }</pre>
 */
public final class ModelRetry extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String hint;

    /**
     * @param hint for the model: what to change
     */
    public ModelRetry(String hint) {
        super(hint, null, false, false);
        this.hint = hint;
    }

    public String hint() {
        return hint;
    }
}
