package dev.agentloop.hook;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The hooks of a run. Hooks that decide are asked in the order in which they were registered;
 * observers run side by side. Whatever a hook does, an answer comes back.
 */
public final class HookBus {
    private static final Duration PATIENCE = Duration.ofSeconds(10); // with an observer

    private final List<Listener> deciders = new ArrayList<>();
    private final List<Listener> observers = new ArrayList<>();
    private final Set<HookPoint> points = EnumSet.noneOf(HookPoint.class);
    private final HookTape tape;

    public HookBus() {
        this(HookTape.NONE);
    }

    public HookBus(HookTape tape) {
        this.tape = tape;
    }

    /** One hook, wherever it runs. */
    public interface Listener {
        String name();

        boolean hears(HookEvent event);

        /** Never throws; ends soon after the cancellation falls, if it can. */
        HookAnswer ask(HookEvent event, Cancellation cancellation);

        /** How long it may take, at most. */
        Duration patience();
    }

    /** Registers a hook that decides, before the run begins. */
    public HookBus deciding(String name, Collection<HookPoint> at, Hook hook) {
        return register(at, deciders, new InProcess(name, Set.copyOf(at), hook));
    }

    /** Registers an observer, before the run begins. */
    public HookBus observing(String name, Collection<HookPoint> at, HookObserver observer) {
        Hook hook =
                event -> {
                    observer.on(event);
                    return HookOutcome.goOn();
                };
        return register(at, observers, new InProcess(name, Set.copyOf(at), hook));
    }

    /** Registers a command; where nothing can be decided it is an observer. */
    public HookBus command(ShellHook hook) {
        HookPoint point = hook.point();
        return register(List.of(point), point.isObserved() ? observers : deciders, hook);
    }

    private HookBus register(Collection<HookPoint> at, List<Listener> list, Listener listener) {
        list.add(listener);
        points.addAll(at);
        return this;
    }

    /** Whether anybody listens there; asked before an event is made. */
    public boolean hears(HookPoint point) {
        return points.contains(point);
    }

    /** The hooks that decide about an event, in their order. */
    public List<Listener> deciders(HookEvent event) {
        return deciders.stream()
                .filter(hook -> hook.hears(event))
                .<Listener>map(hook -> tape == HookTape.NONE ? hook : new Taped(hook, tape))
                .toList();
    }

    /** Tells all observers and waits for them; what they say changes nothing. */
    public List<HookAnswer> observe(HookEvent event, Cancellation cancellation) {
        return tape.observe(() -> tell(event, cancellation));
    }

    private List<HookAnswer> tell(HookEvent event, Cancellation cancellation) {
        List<Listener> listening =
                observers.stream().filter(observer -> observer.hears(event)).toList();
        List<CompletableFuture<HookAnswer>> answers = new ArrayList<>();
        for (Listener observer : listening) {
            answers.add(
                    CompletableFuture.supplyAsync(
                            () -> observer.ask(event, cancellation), HookBus::start));
        }
        long begun = System.nanoTime();
        List<HookAnswer> all = new ArrayList<>();
        for (int i = 0; i < answers.size(); i++) {
            all.add(await(answers.get(i), listening.get(i), event.point(), begun));
        }
        return all;
    }

    private static HookAnswer await(
            CompletableFuture<HookAnswer> answer, Listener observer, HookPoint point, long begun) {
        Duration left = observer.patience().minusNanos(System.nanoTime() - begun);
        try {
            return answer.get(Math.max(1, left.toMillis()), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return HookAnswer.failed(observer.name(), point, "it did not end");
        } catch (ExecutionException e) {
            return HookAnswer.failed(observer.name(), point, String.valueOf(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return HookAnswer.failed(observer.name(), point, "interrupted");
        }
    }

    /** A thread for each: one that hangs must keep neither another nor the program. */
    private static void start(Runnable work) {
        Thread thread = new Thread(work, "hook");
        thread.setDaemon(true);
        thread.start();
    }

    private record Taped(Listener hook, HookTape tape) implements Listener {
        @Override
        public String name() {
            return hook.name();
        }

        @Override
        public boolean hears(HookEvent event) {
            return hook.hears(event);
        }

        @Override
        public Duration patience() {
            return hook.patience();
        }

        @Override
        public HookAnswer ask(HookEvent event, Cancellation cancellation) {
            return tape.ask(hook.name(), event, () -> hook.ask(event, cancellation));
        }
    }

    private record InProcess(String name, Set<HookPoint> at, Hook hook) implements Listener {
        @Override
        public boolean hears(HookEvent event) {
            return at.contains(event.point());
        }

        @Override
        public Duration patience() {
            return PATIENCE;
        }

        @Override
        public HookAnswer ask(HookEvent event, Cancellation cancellation) {
            try {
                return new HookAnswer(name, Objects.requireNonNull(hook.on(event)), "", null);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                cancellation.cancel(new Cause.Interrupt("interrupt")); // the run's, not the hook's
                return HookAnswer.failed(name, event.point(), "interrupted");
            } catch (Exception | LinkageError | StackOverflowError e) { // somebody else's code
                return HookAnswer.failed(name, event.point(), e.toString());
            }
        }
    }
}
