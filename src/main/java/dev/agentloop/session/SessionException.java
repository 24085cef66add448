package dev.agentloop.session;

/** A session cannot be used; the message says which, why and what to do. */
public sealed class SessionException extends Exception permits SessionException.InUse {
    private static final long serialVersionUID = 1L;

    public SessionException(String message) {
        super(message);
    }

    /** Another run has it; it may be free later. */
    public static final class InUse extends SessionException {
        private static final long serialVersionUID = 1L;

        public InUse(String message) {
            super(message);
        }
    }
}
