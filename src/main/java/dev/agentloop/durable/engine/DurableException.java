package dev.agentloop.durable.engine;

/** An engine cannot do what is asked; the message says in one line what is wrong and what to do. */
public class DurableException extends Exception {
    /** Kinds of refusals: there is no task of that id. */
    public static final String UNKNOWN_TASK = "unknown_task";

    /** There is no group of that name. */
    public static final String UNKNOWN_GROUP = "unknown_group";

    /** The task has ended. */
    public static final String TASK_DONE = "task_done";

    /** Another task has the id. */
    public static final String ID_TAKEN = "id_taken";

    /** Code of a refusal that has no code of its own. */
    public static final String REFUSED = "refused";

    private static final long serialVersionUID = 1L;

    public DurableException(String message) {
        super(message);
    }

    /** The engine works, and this object cannot do that. */
    public static final class Refused extends DurableException {
        private static final long serialVersionUID = 1L;

        private final String code;

        public Refused(String message) {
            this(REFUSED, message);
        }

        /**
         * @param code machine-readable kind, such as {@link #UNKNOWN_TASK}
         */
        public Refused(String code, String message) {
            super(message);
            this.code = code;
        }

        /** Machine-readable kind. */
        public String code() {
            return code;
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
