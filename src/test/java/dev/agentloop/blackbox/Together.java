package dev.agentloop.blackbox;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Long stories side by side, each in a world of its own: they wait for processes most of the time.
 */
final class Together {
    private Together() {}

    /** Part of a test. */
    interface Story {
        void tell() throws Exception;
    }

    /** Returns when all have ended; fails with what failed. */
    static void tell(List<Story> stories) throws InterruptedException {
        List<FutureTask<Void>> tasks = new ArrayList<>();
        for (Story story : stories) {
            FutureTask<Void> task =
                    new FutureTask<>(() -> {
                        story.tell();
                        return null;
                    });
            tasks.add(task);
            new Thread(task, "story " + tasks.size()).start();
        }
        AssertionError failed = null;
        for (FutureTask<Void> task : tasks) {
            try {
                task.get();
            } catch (ExecutionException e) {
                AssertionError error = new AssertionError(e.getCause().getMessage(), e.getCause());
                if (failed == null) {
                    failed = error;
                } else {
                    failed.addSuppressed(error);
                }
            }
        }
        if (failed != null) {
            throw failed;
        }
    }
}
