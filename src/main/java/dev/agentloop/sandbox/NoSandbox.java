package dev.agentloop.sandbox;

import java.nio.file.Path;
import java.util.Optional;

/** No sandbox: what is asked for is what is started. */
record NoSandbox() implements Sandbox {
    @Override
    public Tier tier() {
        return Tier.NONE;
    }

    @Override
    public boolean isOffline() {
        return false;
    }

    @Override
    public Optional<PreparedSandbox> prepare(Path folder) {
        return Optional.empty();
    }

    @Override
    public boolean sharesLoopback() {
        return true;
    }

    @Override
    public boolean sharesProcesses() {
        return true;
    }

    @Override
    public Confined confine(Order order, Path folder) {
        return new Confined.Plain(order.argv());
    }

    @Override
    public void close() {}
}
