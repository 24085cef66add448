package dev.agentloop.durable;

import dev.agentloop.durable.engine.DurableException;
import dev.agentloop.durable.engine.DurableObjects;
import dev.agentloop.durable.engine.DurableObjects.Operation;
import dev.agentloop.durable.engine.ObjectLogic;
import dev.agentloop.durable.gate.WaitRequest;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tasks as submitters and workers see them, over the objects of an engine. */
public final class Tasks {
    private static final String ALL = "all";

    private final DurableObjects objects;

    public Tasks(DurableObjects objects) {
        this.objects = objects;
    }

    /**
     * What is known of a task.
     *
     * @param attempt how often a worker has taken it; 0 while it waits for the first
     * @param pieces how many pieces of its journal are stored
     * @param step number of model replies so far
     * @param millis wall time from its start to its end or, of one not done, to nothing: 0
     * @param held whether a worker is at it
     * @param waiting what it waits for, if it does
     */
    public record View(
            DurableTask task,
            long attempt,
            String worker,
            long pieces,
            long step,
            long millis,
            boolean held,
            Optional<Wait> waiting,
            Optional<Outcome> outcome) {
        /** queued, running, waiting, done, partial or failed. */
        public String state() {
            if (outcome.isPresent()) {
                return outcome.get().state();
            }
            if (waiting.isPresent()) {
                return "waiting";
            }
            return held ? "running" : "queued";
        }
    }

    /**
     * What a task waits for, without a process.
     *
     * @param signal name; empty for a time alone
     * @param millis how long at most from now on
     */
    public record Wait(String signal, long millis) {
        static Optional<Wait> of(JsonValue answer) {
            return answer.has("left")
                    ? Optional.of(
                            new Wait(answer.at("waits_for").textOr(""), answer.at("left").asLong()))
                    : Optional.empty();
        }
    }

    /**
     * A worker's hold on a task.
     *
     * @param deaths how often the task's worker or run has died so far
     */
    record Claim(String id, long attempt, long deaths) {
        private String json(String more) {
            return "{\"id\":" + Json.quote(id) + ",\"attempt\":" + attempt + more + "}";
        }
    }

    /**
     * What a group gives a task.
     *
     * @param usd decimal text; 0 for nothing
     * @param mayGrow whether something may become free again
     */
    record Grant(String usd, boolean mayGrow) {}

    /**
     * Puts a task into the queue; the same id with the same task again is the same task.
     *
     * @return whether it is new
     * @throws DurableException if another task has the id
     */
    public boolean submit(DurableTask task) throws DurableException {
        String input = "{\"task\":" + Json.quote(task.json()) + "}";
        JsonValue answer = apply(ObjectLogic.TASK, task.id(), "submit", input);
        if (!answer.at("same").isTrue()) {
            throw new DurableException.Refused(
                    DurableException.ID_TAKEN,
                    "Another task has the id " + task.id() + ". Choose a new one.");
        }
        if (outcome(task.id()).isEmpty()) {
            apply(ObjectLogic.QUEUE, ALL, "offer", "{\"id\":" + Json.quote(task.id()) + "}");
        }
        return !answer.at("known").isTrue();
    }

    /**
     * Gives a group its budget; the first one counts.
     *
     * @throws DurableException if the group has another one
     */
    public void foundGroup(String group, String usd) throws DurableException {
        apply(ObjectLogic.BUDGET, group, "found", "{\"total\":" + Json.quote(usd) + "}");
    }

    /** Decimal texts: the group's budget, and what of it is spent or set aside. */
    public List<String> groupStatus(String group) throws DurableException {
        JsonValue it = read(ObjectLogic.BUDGET, group, "status", "{}");
        return List.of(it.at("total").textOr("0"), it.at("held").textOr("0"));
    }

    /** What is known of a task; DurableException if there is none. */
    public View view(String id) throws DurableException {
        JsonValue status = read(ObjectLogic.TASK, id, "status", "{}");
        String asked = "{\"id\":" + Json.quote(id) + "}";
        return view(status, read(ObjectLogic.QUEUE, ALL, "held", asked).at("held").isTrue());
    }

    private static View view(JsonValue answer, boolean held) {
        JsonValue head = answer.at("head");
        String outcome = answer.at("outcome").textOr("");
        long ended = head.at("ended").asLong();
        return new View(
                DurableTask.parse(answer.at("task").textOr("")),
                head.at("attempt").asLong(),
                head.at("worker").textOr(""),
                head.at("pieces").asLong(),
                head.at("step").asLong(),
                ended == 0 ? 0 : ended - head.at("started").asLong(),
                held,
                Wait.of(answer),
                outcome.isEmpty() ? Optional.empty() : Optional.of(Outcome.parse(outcome)));
    }

    private Optional<Outcome> outcome(String id) throws DurableException {
        return view(id).outcome();
    }

    /** A task for a worker; empty when none waits. */
    Optional<Claim> claim(String worker, String token) throws DurableException {
        if (read(ObjectLogic.QUEUE, ALL, "free", "{}").at("free").asLong() == 0) {
            return Optional.empty();
        }
        String input =
                "{\"worker\":" + Json.quote(worker) + ",\"token\":" + Json.quote(token) + "}";
        JsonValue answer = apply(ObjectLogic.QUEUE, ALL, "claim", input);
        return answer.has("id")
                ? Optional.of(
                        new Claim(
                                answer.at("id").textOr(""),
                                answer.at("attempt").asLong(),
                                answer.at("deaths").asLong()))
                : Optional.empty();
    }

    /** From now on nobody with an earlier claim can store anything. */
    View open(Claim claim, String worker) throws DurableException {
        String more = ",\"worker\":" + Json.quote(worker);
        return view(fenced(ObjectLogic.TASK, claim.id(), "open", claim.json(more)), true);
    }

    List<SessionPart> pieces(View view) throws DurableException {
        List<SessionPart> pieces = new ArrayList<>();
        for (long n = 0; n < view.pieces(); n++) {
            JsonValue answer =
                    read(ObjectLogic.TASK, view.task().id(), "piece", "{\"n\":" + n + "}");
            pieces.add(SessionPart.unpacked(answer.at("piece").textOr("")));
        }
        return pieces;
    }

    /** Stores the n-th piece, and with the last one the outcome. */
    void store(Claim claim, long n, SessionPart piece, long step, Optional<Outcome> outcome)
            throws DurableException {
        String more =
                ",\"n\":"
                        + n
                        + ",\"step\":"
                        + step
                        + ",\"piece\":"
                        + Json.quote(piece.packed())
                        + ",\"outcome\":"
                        + Json.quote(outcome.map(Outcome::json).orElse(""));
        fenced(ObjectLogic.TASK, claim.id(), "store", claim.json(more));
    }

    void beat(Claim claim) throws DurableException {
        fenced(ObjectLogic.QUEUE, ALL, "beat", claim.json(""));
    }

    /** Hands the task over to whoever asks next, not before this time is over. */
    void release(Claim claim, long millis) throws DurableException {
        apply(ObjectLogic.QUEUE, ALL, "release", claim.json(",\"millis\":" + millis));
    }

    /** The same for a task whose run has died. */
    void releaseDead(Claim claim, long millis) throws DurableException {
        String more = ",\"died\":true,\"millis\":" + millis;
        apply(ObjectLogic.QUEUE, ALL, "release", claim.json(more));
    }

    /**
     * Asks whether a run must still wait.
     *
     * @return how the run is to wait on, or the line that it is answered with
     */
    Waited await(Claim claim, WaitRequest wish) throws DurableException {
        String more =
                ",\"call\":"
                        + Json.quote(wish.call())
                        + ",\"signal\":"
                        + Json.quote(wish.signal())
                        + ",\"millis\":"
                        + wish.millis();
        JsonValue answer = fenced(ObjectLogic.TASK, claim.id(), "wait", claim.json(more));
        String now = "{\"now\":" + answer.at("now").asLong();
        String signal =
                answer.has("signal")
                        ? ",\"signal\":" + Json.quote(answer.at("signal").textOr(""))
                        : "";
        return new Waited(Wait.of(answer), now + signal + "}");
    }

    /** Either what is left to wait for, or the answer. */
    record Waited(Optional<Wait> left, String answer) {}

    /**
     * Sends a task a signal; one of the same name before it is replaced.
     *
     * @throws DurableException if there is no such task, or it is done
     */
    public void signal(String id, String name, String text) throws DurableException {
        String input = "{\"name\":" + Json.quote(name) + ",\"text\":" + Json.quote(text) + "}";
        apply(ObjectLogic.TASK, id, "signal", input);
        wake(id);
    }

    /** Has a task that waits looked at again. */
    void wake(String id) throws DurableException {
        apply(ObjectLogic.QUEUE, ALL, "wake", "{\"id\":" + Json.quote(id) + "}");
    }

    void done(Claim claim) throws DurableException {
        apply(ObjectLogic.QUEUE, ALL, "done", claim.json(""));
    }

    Grant reserve(DurableTask task) throws DurableException {
        JsonValue answer =
                apply(
                        ObjectLogic.BUDGET,
                        task.group(),
                        "reserve",
                        "{\"task\":"
                                + Json.quote(task.id())
                                + ",\"usd\":"
                                + Json.quote(task.usd())
                                + "}");
        return new Grant(answer.at("usd").textOr("0"), answer.at("wait").isTrue());
    }

    void settle(DurableTask task, String usd) throws DurableException {
        apply(
                ObjectLogic.BUDGET,
                task.group(),
                "settle",
                "{\"task\":" + Json.quote(task.id()) + ",\"usd\":" + Json.quote(usd) + "}");
    }

    private JsonValue fenced(String kind, String key, String name, String input)
            throws DurableException {
        JsonValue answer = apply(kind, key, name, input);
        if (answer.at("stale").isTrue()) {
            throw new DurableException.Stale("task " + key + " has gone to another worker");
        }
        return answer;
    }

    private JsonValue apply(String kind, String key, String name, String input)
            throws DurableException {
        return checked(key, objects.apply(new Operation(kind, key, name, input)));
    }

    private JsonValue read(String kind, String key, String name, String input)
            throws DurableException {
        return checked(key, objects.read(new Operation(kind, key, name, input)));
    }

    private static JsonValue checked(String key, String answer) throws DurableException {
        JsonValue json = ObjectLogic.parsed(answer, "{}");
        if (json.has("error")) {
            throw new DurableException.Refused(
                    json.at("code").textOr(DurableException.REFUSED),
                    key + ": " + json.at("error").textOr(""));
        }
        return json;
    }
}
