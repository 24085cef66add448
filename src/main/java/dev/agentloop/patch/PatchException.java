package dev.agentloop.patch;

/** A patch that cannot be read or does not fit; the message tells the model what to change. */
public class PatchException extends Exception {
    private static final long serialVersionUID = 1L;

    public PatchException(String message) {
        super(message, null, false, false);
    }
}
