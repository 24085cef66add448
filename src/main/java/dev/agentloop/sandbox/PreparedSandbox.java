package dev.agentloop.sandbox;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A sandbox that is started before its command is known, for one command. */
public interface PreparedSandbox {
    /** Program and arguments to start; it reads from its input what to run. */
    List<String> argv();

    /** Variables as of {@link Confined#environment}. */
    Map<String, String> environment();

    /**
     * Puts a command into it.
     *
     * @param pid of what was started
     * @return empty if it does not fit: it is not up, or the files that it protects are others by
     *     now. Then it is of no use to anybody
     */
    Optional<Confined> take(Order order, long pid) throws IOException;

    /** To be called once if no command was put into it, when its process is gone. */
    void discard();
}
