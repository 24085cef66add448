package dev.agentloop.library;

import dev.agentloop.context.ContextManager;
import dev.agentloop.cost.Price;
import dev.agentloop.hook.HookBus;
import dev.agentloop.llm.Generation;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.message.Message;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.ConfirmPreset;
import dev.agentloop.permission.Rule;
import dev.agentloop.replay.Tape;
import dev.agentloop.secret.Secrets;
import dev.agentloop.session.SessionStore;
import dev.agentloop.tool.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a builder was told; every conversation of a loop is made of it.
 *
 * @param tools made anew for each conversation
 * @param hooks register themselves, anew for each conversation
 * @param observers hear of each message that enters a conversation
 */
record Blueprint(
        LlmAdapter llm,
        ContextManager context,
        LoopConfig config,
        Asking asking,
        Judging judging,
        Privacy privacy,
        Places places,
        List<Supplier<? extends Tool<?>>> tools,
        List<Consumer<HookBus>> hooks,
        List<Consumer<Message>> observers,
        List<Message> history,
        @Nullable SessionStore sessions,
        Supplier<Tape> tape) {
    Blueprint {
        tools = List.copyOf(tools);
        hooks = List.copyOf(hooks);
        observers = List.copyOf(observers);
        history = List.copyOf(history);
    }

    /**
     * How the model is asked.
     *
     * @param timeout of a whole run; null for none
     * @param turnTimeout of one call; null for none
     * @param maxOutputTokens 0 leaves it to the model
     * @param price null when unknown
     */
    record Asking(
            boolean stream,
            @Nullable Duration timeout,
            @Nullable Duration turnTimeout,
            int maxOutputTokens,
            Generation generation,
            @Nullable Price price) {
        static final Asking DEFAULT = new Asking(true, null, null, 0, Generation.DEFAULT, null);
    }

    /**
     * Who decides about calls.
     *
     * @param trusted whether what the workspace holds may decide what programs do
     */
    record Judging(ConfirmPreset preset, List<Rule> rules, Approver approver, boolean trusted) {
        Judging {
            rules = List.copyOf(rules);
        }
    }

    /**
     * Folders.
     *
     * @param workspace that tools work in
     * @param added folders that count as part of it
     * @param records of sessions, closed to tools; null if nobody named it
     */
    record Places(Path workspace, List<Path> added, @Nullable Path records) {
        Places {
            added = List.copyOf(added);
        }
    }

    /**
     * What is kept from the model, from records and from cassettes.
     *
     * @param secrets what is known to be secret, or looks like it
     * @param redacts false: everything is shown and written as it is
     */
    record Privacy(Secrets secrets, boolean redacts) {}
}
