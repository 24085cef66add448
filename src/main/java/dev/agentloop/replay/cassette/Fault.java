package dev.agentloop.replay.cassette;

/** A value that is not what its field needs. */
final class Fault extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * @param field path of the field, empty for the whole
     * @param problem what is wrong with it
     */
    Fault(String field, String problem) {
        super((field.isEmpty() ? "it" : field) + " " + problem, null, false, false);
    }
}
