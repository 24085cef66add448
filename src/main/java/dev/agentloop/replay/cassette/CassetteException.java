package dev.agentloop.replay.cassette;

/** A cassette that cannot be read or written; the message says where, what, and what to do. */
public final class CassetteException extends Exception {
    private static final long serialVersionUID = 1L;

    public CassetteException(String message) {
        super(message);
    }
}
