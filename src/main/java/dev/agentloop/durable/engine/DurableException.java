package dev.agentloop.durable.engine;

/** An engine cannot do what is asked; the message says in one line what is wrong and what to do. */
public class DurableException extends Exception {
    private static final long serialVersionUID = 1L;

    public DurableException(String message) {
        super(message);
    }

    /** The engine works, and this object cannot do that. */
    public static final class Refused extends DurableException {
        private static final long serialVersionUID = 1L;

        public Refused(String message) {
            super(message);
        }
    }

    /** The workspace is somebody else's for now. */
    public static final class Busy extends DurableException {
        private static final long serialVersionUID = 1L;

        public Busy(String message) {
            super(message);
        }
    }

    /** The task is somebody else's by now: this worker was taken for dead. */
    public static final class Stale extends DurableException {
        private static final long serialVersionUID = 1L;

        public Stale(String message) {
            super(message);
        }
    }
}
