package dev.agentloop.durable;

import dev.agentloop.durable.engine.DurableException;
import dev.agentloop.durable.engine.ObjectLogic;
import dev.agentloop.durable.gate.WaitRequest;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes tasks one after another and works on them until they are done or it is stopped. Nothing of
 * a task takes effect before what is intended is stored; who takes a task up after a worker's death
 * knows from that what may have happened.
 */
public final class Worker {
    private static final long BEAT_MILLIS = ObjectLogic.LEASE_MILLIS / 3;
    private static final long SHORTEST_WAIT_MILLIS = 100; // between two looks at an empty queue
    private static final long LONGEST_WAIT_MILLIS = 1_000;
    private static final long GATHER_MILLIS = 100; // what is written together is stored together
    private static final long DAMAGED_MILLIS = 60_000;
    private static final long AGAIN_MILLIS = 1_000; // before a task that had to wait is tried again
    private static final int MOST_DEATHS = 10; // of a task's runs and workers
    private static final long SHORT_MILLIS = 2_000; // of a wait for which a run need not end
    private static final long MOST_WAIT_MILLIS = 60_000; // until a waiting task is looked at again
    private static final int SIGNALLED = 128;

    private final String name;
    private final Tasks tasks;
    private final WorkerRuns runs;
    private final Consumer<String> log;
    private final CountDownLatch stop = new CountDownLatch(1);

    /**
     * @param name of this worker, for people
     * @param log gets lines for people
     */
    Worker(String name, Tasks tasks, WorkerRuns runs, Consumer<String> log) {
        this.name = name;
        this.tasks = tasks;
        this.runs = runs;
        this.log = log;
    }

    /** A worker whose runs are processes of this program. */
    public static Worker of(String name, Tasks tasks, AgentRuns runs, Consumer<String> log) {
        AgentChild.sweep();
        return new Worker(name, tasks, runs, log);
    }

    /** No further task; the one in work is handed over before its next call of the model. */
    public void stop() {
        stop.countDown();
    }

    private boolean isStopped() {
        return stop.getCount() == 0;
    }

    private boolean pause(long millis) {
        try {
            return stop.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            stop();
            return true;
        }
    }

    /** Works until it is stopped. */
    public void work() throws DurableException {
        long wait = SHORTEST_WAIT_MILLIS;
        while (!isStopped()) {
            Optional<Tasks.Claim> claim = tasks.claim(name, UUID.randomUUID().toString());
            if (claim.isPresent()) {
                wait = SHORTEST_WAIT_MILLIS;
                attend(claim.get());
            } else {
                pause(wait);
                wait = Math.min(wait * 2, LONGEST_WAIT_MILLIS);
            }
        }
    }

    /** Works on one task, if it is still this worker's. */
    void attend(Tasks.Claim claim) throws DurableException {
        try {
            Tasks.View view = tasks.open(claim, name);
            if (view.outcome().isPresent()) {
                close(claim, view.task(), view.outcome().get(), view.pieces());
                return;
            }
            if (claim.deaths() >= MOST_DEATHS) {
                String why = "its runs or their workers died " + claim.deaths() + " times";
                end(claim, view, new Outcome(1, "", why));
                return;
            }
            if (view.waiting().isPresent()) {
                rest(claim, view.waiting().get());
                return;
            }
            Optional<String> usd = share(claim, view);
            if (usd.isPresent()) {
                lead(claim, view, usd.get());
            }
        } catch (DurableException.Stale e) {
            log.accept(claim.id() + ": left to another worker");
        } catch (DurableException.Refused
                | IllegalStateException
                | IllegalArgumentException
                | UncheckedIOException e) {
            log.accept(claim.id() + ": cannot be worked on: " + e.getMessage());
            tasks.release(claim, DAMAGED_MILLIS); // one task must not take all workers along
        }
    }

    /** Lets a task wait without a worker. */
    private void rest(Tasks.Claim claim, Tasks.Wait wait) throws DurableException {
        tasks.release(claim, Math.min(wait.millis(), MOST_WAIT_MILLIS));
        if (tasks.view(claim.id())
                .waiting()
                .isEmpty()) { // it came meanwhile, and could not wake it
            tasks.wake(claim.id());
        }
    }

    /** Empty if the task cannot begin now, and then it is not this worker's any more. */
    private Optional<String> share(Tasks.Claim claim, Tasks.View view) throws DurableException {
        DurableTask task = view.task();
        if (task.group().isEmpty()) {
            return Optional.of(task.usd());
        }
        Tasks.Grant grant = tasks.reserve(task);
        if (!grant.usd().equals("0")) {
            return Optional.of(grant.usd());
        }
        if (grant.mayGrow()) {
            tasks.release(claim, AGAIN_MILLIS);
        } else {
            end(claim, view, new Outcome(2, "", spent(task)));
        }
        return Optional.empty();
    }

    private String spent(DurableTask task) throws DurableException {
        List<String> amounts = tasks.groupStatus(task.group());
        return "the budget of group "
                + task.group()
                + " is spent: "
                + amounts.getLast()
                + " of "
                + amounts.getFirst()
                + " USD. Submit the task under a new id and to another group, or with a --budget"
                + " of its own.";
    }

    private void end(Tasks.Claim claim, Tasks.View view, Outcome outcome) throws DurableException {
        SessionPart nothing = new SessionPart("", "", Map.of());
        tasks.store(claim, view.pieces(), nothing, view.step(), Optional.of(outcome));
        close(claim, view.task(), outcome, view.pieces());
    }

    private void close(Tasks.Claim claim, DurableTask task, Outcome outcome, long pieces)
            throws DurableException {
        if (!task.group().isEmpty()) {
            Optional<String> usd = cost(outcome, pieces);
            tasks.settle(task, usd.isPresent() ? usd.get() : tasks.reserve(task).usd());
        }
        tasks.done(claim);
        log.accept(task.id() + ": exit code " + outcome.exitCode());
    }

    /** Empty when nobody knows: then all that was set aside counts as spent. */
    private static Optional<String> cost(Outcome outcome, long pieces) {
        if (outcome.result().isEmpty()) {
            return pieces == 0 ? Optional.of("0") : Optional.empty(); // some of it was spent
        }
        try {
            JsonValue usd = Json.parse(outcome.result()).at("cost").at("usd");
            return usd.isNumber() ? Optional.of(String.valueOf(usd.raw())) : Optional.empty();
        } catch (JsonException e) {
            return Optional.empty();
        }
    }

    private void lead(Tasks.Claim claim, Tasks.View view, String usd) throws DurableException {
        Heart heart = new Heart(claim);
        Thread beats = new Thread(heart, "beat " + claim.id());
        beats.setDaemon(true);
        beats.start(); // a long journal takes longer to read than a claim lasts
        try {
            lead(claim, view, usd, heart);
        } finally {
            beats.interrupt();
        }
    }

    private void lead(Tasks.Claim claim, Tasks.View view, String usd, Heart heart)
            throws DurableException {
        List<SessionPart> pieces = tasks.pieces(view);
        log.accept(
                view.task().id()
                        + (pieces.isEmpty() ? ": begins" : ": goes on")
                        + ", attempt "
                        + claim.attempt());
        LiveRun run;
        try {
            run = runs.start(view.task(), pieces, usd);
        } catch (DurableException.Busy e) {
            log.accept(view.task().id() + ": waits, " + e.getMessage());
            tasks.release(claim, AGAIN_MILLIS);
            return;
        } catch (DurableException e) { // it is about the task
            end(claim, view, new Outcome(3, "", String.valueOf(e.getMessage())));
            return;
        } catch (IOException e) { // it is about this worker
            tasks.release(claim, AGAIN_MILLIS);
            throw new DurableException(
                    "This worker cannot start a run: " + e + ". Its task was given back.");
        }
        try {
            heart.of(run);
            follow(new Course(claim, view, run));
        } finally {
            run.kill();
        }
    }

    /** Says that this worker lives; when the task is lost, the run ends. */
    private final class Heart implements Runnable {
        private final Tasks.Claim claim;
        private @Nullable LiveRun run;
        private boolean lost;

        Heart(Tasks.Claim claim) {
            this.claim = claim;
        }

        synchronized void of(LiveRun begun) {
            run = begun;
            if (lost) {
                begun.kill();
            }
        }

        private synchronized void lose() {
            lost = true;
            if (run != null) {
                run.kill();
            }
        }

        @Override
        public void run() {
            try {
                while (true) {
                    Thread.sleep(BEAT_MILLIS);
                    tasks.beat(claim);
                }
            } catch (InterruptedException e) {
                return; // the run is over
            } catch (DurableException e) {
                log.accept(claim.id() + ": " + e.getMessage());
                lose();
            }
        }
    }

    /** A run that is being worked on, and how much of it is stored. */
    private static final class Course {
        final Tasks.Claim claim;
        final Tasks.View view;
        final LiveRun run;
        long pieces;
        long step;

        Course(Tasks.Claim claim, Tasks.View view, LiveRun run) {
            this.claim = claim;
            this.view = view;
            this.run = run;
            this.pieces = view.pieces();
            this.step = view.step();
        }
    }

    private void follow(Course course) throws DurableException {
        boolean grown = false;
        boolean begun = false;
        while (true) {
            LiveRun.Event event = course.run.next(grown ? GATHER_MILLIS : BEAT_MILLIS);
            begun |= event != LiveRun.Event.NOTHING;
            switch (event) {
                case WROTE -> grown = true;
                case NOTHING -> {
                    store(course, Optional.empty());
                    grown = false;
                    if (isStopped() && !begun) { // it waits for its workspace
                        handOver(course);
                        return;
                    }
                }
                case ACTS, ASKS -> {
                    store(course, Optional.empty());
                    grown = false;
                    if (event == LiveRun.Event.ASKS && isStopped()) {
                        handOver(course);
                        return;
                    }
                    course.run.go();
                }
                case WAITS -> {
                    store(course, Optional.empty());
                    grown = false;
                    if (!await(course)) {
                        return;
                    }
                }
                case ENDED -> {
                    finish(course);
                    return;
                }
            }
        }
    }

    private void handOver(Course course) throws DurableException {
        course.run.kill();
        tasks.release(course.claim, 0);
        log.accept(course.claim.id() + ": handed over");
    }

    /** Whether the run goes on; else its task waits without it. */
    private boolean await(Course course) throws DurableException {
        WaitRequest wish = course.run.wish();
        Tasks.Waited waited = tasks.await(course.claim, wish);
        if (waited.left().isPresent() && waited.left().get().millis() <= SHORT_MILLIS) {
            pause(waited.left().get().millis());
            waited = tasks.await(course.claim, wish);
        }
        if (waited.left().isEmpty()) {
            course.run.answer(waited.answer());
            return true;
        }
        Tasks.Wait wait = waited.left().get();
        course.run.kill();
        rest(course.claim, wait);
        log.accept(
                course.claim.id()
                        + ": waits"
                        + (wait.signal().isEmpty() ? "" : " for the signal " + wait.signal())
                        + ", at most "
                        + Duration.ofMillis(wait.millis()).toSeconds()
                        + " s");
        return false;
    }

    private void finish(Course course) throws DurableException {
        Outcome outcome = course.run.outcome();
        boolean died = outcome.exitCode() > SIGNALLED; // 130 too: nobody else may interrupt it
        if (died) {
            log.accept(course.claim.id() + ": its process died, code " + outcome.exitCode());
            store(course, Optional.empty());
            tasks.releaseDead(course.claim, AGAIN_MILLIS);
            return;
        }
        store(course, Optional.of(outcome));
        close(course.claim, course.view.task(), outcome, 1); // it has run
    }

    private void store(Course course, Optional<Outcome> outcome) throws DurableException {
        Optional<SessionPart> news = course.run.collect();
        if (news.isEmpty() && outcome.isEmpty()) {
            return;
        }
        SessionPart piece = news.orElse(new SessionPart("", "", Map.of()));
        course.step += replies(piece);
        tasks.store(course.claim, course.pieces, piece, course.step, outcome);
        course.pieces++;
    }

    private static long replies(SessionPart piece) {
        return piece.lines().lines().filter(line -> line.contains("\"t\":\"llm_resp\"")).count();
    }
}
