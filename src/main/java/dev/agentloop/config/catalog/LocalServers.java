package dev.agentloop.config.catalog;

import java.net.URI;
import java.util.Optional;

/**
 * Looks for a model server on this machine.
 *
 * <p><b>Contract.</b> Asks {@code GET <base>/models}, waits a few hundred milliseconds at most,
 * never throws. What answers on a usual port may be anything, so only a list of models counts.
 */
@FunctionalInterface
public interface LocalServers {
    /** Says of each address that no local server answers there. */
    LocalServers NONE = base -> Optional.empty();

    /** The first model that the server at this base URL lists. */
    Optional<String> firstModel(URI baseUrl);
}
