package dev.agentloop.library;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A run on a thread of its own, and the buffer that its reader reads. */
record Streaming<E>(EventBuffer<E> buffer, LibraryRun run) {
    /**
     * @param work leads the run to its end
     * @param last tells a good end
     * @param failed tells a bad one, and says whether the reader gets the exception
     */
    EventStream<E> start(
            Supplier<AgentResult> work,
            Consumer<AgentResult> last,
            Predicate<LoopException> failed) {
        CompletableFuture<AgentResult> result = new CompletableFuture<>();
        Thread thread =
                new Thread(() -> complete(work, last, failed, result), "agent-" + run.name());
        thread.setDaemon(true);
        buffer.watch(run.work()::isCancelled);
        thread.start();
        return new EventStream<>(buffer, run::cancel, result);
    }

    private void complete(
            Supplier<AgentResult> work,
            Consumer<AgentResult> last,
            Predicate<LoopException> failed,
            CompletableFuture<AgentResult> result) {
        try {
            AgentResult done = work.get();
            result.complete(done);
            last.accept(done);
            buffer.end();
        } catch (LoopException e) {
            result.completeExceptionally(e);
            if (failed.test(e)) {
                buffer.fail(e);
            } else {
                buffer.end();
            }
        } catch (RuntimeException | Error e) { // a bug: the reader must not wait for ever
            result.completeExceptionally(e);
            buffer.fail(e instanceof RuntimeException bug ? bug : new IllegalStateException(e));
        }
    }
}
