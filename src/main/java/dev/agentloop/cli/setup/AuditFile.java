package dev.agentloop.cli.setup;

import dev.agentloop.audit.AuditLog;
import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.terminal.IoErrorText;
import dev.agentloop.config.LoadedConfig;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.control.Time;
import dev.agentloop.event.EventFan;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The audit log of a run, where the configuration wants one. */
public final class AuditFile {
    private AuditFile() {}

    /** Where the ends of logs are noted. */
    public static Path heads(Invocation invocation) {
        return invocation.state().resolve("audit");
    }

    /** At the end of the run; each line is on the disk already. */
    public static void close(@Nullable AuditLog audit) {
        if (audit == null) {
            return;
        }
        try {
            audit.close();
        } catch (IOException e) {
            return; // nothing of it is lost
        }
    }

    /** Opens it, so that it hears of all events from here on; null where none is wanted. */
    public static @Nullable AuditLog open(
            LoadedConfig loaded, Invocation invocation, EventFan events, Time time) {
        Path file = loaded.config().permissions().auditLog().orElse(null);
        if (file == null) {
            return null;
        }
        try {
            AuditLog audit = new AuditLog(file, heads(invocation), time::now);
            events.add(audit);
            return audit;
        } catch (IOException e) {
            throw new ConfigException(
                    "permissions.audit_log",
                    file + " cannot be written (" + IoErrorText.of(e) + ")",
                    "Choose another file; without it the run does not begin.",
                    "");
        }
    }
}
