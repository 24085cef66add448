package dev.agentloop.hook;

import java.util.List;
import java.util.function.Supplier;

/**
 * Stands between a run and its hooks, to keep what they answer or to answer in their place.
 *
 * <p><b>Contract.</b> A tape that answers itself never calls {@code real}. Hooks of tool calls may
 * be asked from several threads at once.
 */
public interface HookTape {
    /** Everything is as it is. */
    HookTape NONE = new HookTape() {};

    /** What one hook decides about an event. */
    default HookAnswer ask(String hook, HookEvent event, Supplier<HookAnswer> real) {
        return real.get();
    }

    /** What those said who decide nothing. */
    default List<HookAnswer> observe(Supplier<List<HookAnswer>> real) {
        return real.get();
    }
}
