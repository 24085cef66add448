package dev.agentloop.wiring;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.control.SystemTime;
import dev.agentloop.session.SessionStore;
import dev.agentloop.session.jsonl.JsonlSessionStore;
import dev.agentloop.undo.FileRecovery;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Makes the session store. */
public final class Sessions {
    private Sessions() {}

    /**
     * The store below this folder.
     *
     * @param config how hard records are pressed onto the disk; null for the default
     */
    public static SessionStore store(Path root, @Nullable AgentConfig config) {
        JsonlSessionStore.Fsync fsync =
                config == null
                        ? JsonlSessionStore.Fsync.INTENT
                        : switch (config.sessions().fsync()) {
                            case INTENT -> JsonlSessionStore.Fsync.INTENT;
                            case EVERY -> JsonlSessionStore.Fsync.EVERY;
                            case NEVER -> JsonlSessionStore.Fsync.NEVER;
                        };
        return new JsonlSessionStore(
                root, new JsonlSessionStore.Options(fsync, new SystemTime(), new FileRecovery()));
    }
}
