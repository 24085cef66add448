package dev.agentloop.session.jsonl.journal;

import dev.agentloop.message.Block;
import dev.agentloop.message.Compaction;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.session.EarlierHistory;
import dev.agentloop.session.JournalRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds the messages of a session so that a provider accepts them: each call is answered exactly
 * once and directly behind its message, in the order of the calls. A result belongs to the latest
 * call of its id, since some providers begin their ids anew in every reply.
 */
final class HistoryFold {
    static final String NOT_RUN = "Not run: the session was interrupted before this call ran.";
    static final String MAY_HAVE_RUN =
            "Interrupted; it may have run, wholly or partly."
                    + " Look at the state before repeating it.";

    static final String NOT_APPLIED =
            "Not applied: the session was interrupted before this call changed a file.";

    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, Slot> latest = new HashMap<>();
    private final List<Change> changes = new ArrayList<>();
    private final List<String> notes;
    private String asked = ""; // the model that goes on
    private int askedAt; // entries there were then
    private int askedAfter; // changes there were then
    private String speaker = "";

    HistoryFold(List<String> notes) {
        this.notes = notes;
    }

    /** A message and the answers that its calls are waiting for. */
    private record Entry(Message message, List<Slot> slots) {}

    /** What is sent of the first so many entries got shorter, or is read by another model. */
    private record Change(int entries, Optional<Compaction> compaction) {
        boolean isOtherModel() {
            return compaction.isEmpty();
        }

        boolean isSeal() {
            return compaction.filter(it -> it.by() == Compaction.By.SERVER).isPresent();
        }
    }

    /** The place of one result. */
    private static final class Slot {
        private final String callId;
        private boolean reads;
        private boolean mayHaveRun;
        private boolean changesFiles;
        private boolean touched;
        private boolean obscure; // records behind its last are lost
        private String soFar = "";
        private @Nullable ToolResult found;
        private @Nullable ToolResult result;

        Slot(String callId) {
            this.callId = callId;
        }

        /** What only changes files says first which, so without that it has changed none. */
        private boolean isUntouched() {
            return changesFiles && !touched && !obscure;
        }

        private String printed() {
            return soFar.isEmpty() ? "" : "\nThe end of what it had printed by then:\n" + soFar;
        }

        ToolResult settled() {
            if (result != null) {
                return result;
            }
            if (found != null) {
                return found;
            }
            if (isUntouched()) {
                return ToolResult.cancelled(NOT_APPLIED);
            }
            return ToolResult.cancelled(mayHaveRun ? MAY_HAVE_RUN + printed() : NOT_RUN);
        }
    }

    /** A call has printed this until now. */
    void printed(String callId, String text) {
        Slot slot = latest.get(callId);
        if (slot != null) {
            slot.soFar = text;
        }
    }

    void said(Message.User message) {
        entries.add(new Entry(message, List.of()));
    }

    /**
     * Adds a reply; returns how many calls it makes.
     *
     * @param paused whether its provider interrupted it: then it may be a summary of the
     *     provider's, and nothing else
     */
    int replied(Message.Assistant reply, boolean paused) {
        Set<String> ids = new HashSet<>();
        List<Block> blocks = new ArrayList<>();
        List<Slot> slots = new ArrayList<>();
        for (Block block : reply.blocks()) {
            if (!(block instanceof Block.Call(ToolCall call))) {
                blocks.add(block);
            } else if (ids.add(call.id())) {
                blocks.add(block);
                slots.add(new Slot(call.id()));
            } else {
                notes.add(
                        "A reply used the call id "
                                + call.id()
                                + " twice; the second was dropped.");
            }
        }
        Message.Assistant message = new Message.Assistant(blocks);
        boolean silent = paused ? message.isEmpty() : message.text().isBlank();
        if (slots.isEmpty() && silent) {
            notes.add("An empty reply was dropped.");
            return 0;
        }
        heard();
        slots.forEach(slot -> latest.put(slot.callId, slot));
        entries.add(new Entry(message, slots));
        return slots.size();
    }

    /** How many messages there are, those with results counted once. */
    int size() {
        return entries.size();
    }

    /** What is sent got shorter. */
    void compacted(Compaction what) {
        if (what.by() == Compaction.By.SUMMARY) {
            heard();
        }
        changes.add(new Change(entries.size(), Optional.of(what)));
    }

    /**
     * From here on this model is asked; as long as it has not answered, nothing is lost by that.
     */
    void asks(String model) {
        if (!asked.equals(model)) {
            asked = model;
            askedAt = entries.size();
            askedAfter = changes.size();
        }
    }

    /**
     * The session is taken up anew, with the history as it was before the model that has not
     * answered was asked: what it was to read shorter is void.
     */
    void resumed() {
        changes.subList(counted(), changes.size()).clear();
    }

    /** How many changes hold: not those for a model that has not answered. */
    private int counted() {
        boolean answered = speaker.isEmpty() || speaker.equals(asked);
        return answered ? changes.size() : askedAfter;
    }

    /** Whose replies the history is made for; empty before the first. */
    String speaker() {
        return speaker;
    }

    /**
     * Another model has read what was there, for which a sealed summary of the last one is void.
     */
    private void heard() {
        if (!speaker.isEmpty() && !speaker.equals(asked)) {
            List<Change> before = changes.subList(0, askedAfter);
            if (before.stream().anyMatch(Change::isSeal)) {
                before.clear();
            }
            before.add(new Change(askedAt, Optional.empty()));
        }
        speaker = asked;
    }

    /** Whether the model's provider has made it shorter: nobody else can read its summary. */
    boolean isSealed() {
        return changes.subList(0, counted()).stream().anyMatch(Change::isSeal);
    }

    /** Forgets all but the first messages. */
    void cut(int size) {
        boolean otherModel =
                changes.stream().anyMatch(it -> it.entries() > size && it.isOtherModel());
        changes.removeIf(it -> it.entries() > size);
        entries.subList(size, entries.size()).clear();
        latest.values().removeIf(slot -> entries.stream().noneMatch(it -> it.slots.contains(slot)));
        if (otherModel) { // it reads what is left as well
            if (isSealed()) {
                changes.clear();
            }
            changes.add(new Change(size, Optional.empty()));
        }
        askedAt = Math.min(askedAt, size);
        askedAfter = Math.min(askedAfter, changes.size());
    }

    void intended(String callId, String effect) {
        Slot slot = latest.get(callId);
        if (slot != null) {
            slot.reads = effect.equalsIgnoreCase("pure");
            slot.mayHaveRun = !slot.reads;
            slot.changesFiles = effect.equalsIgnoreCase("file");
        }
    }

    /**
     * Records behind the last one are lost, as after a torn write: what is not known to have run of
     * the last reply may have.
     */
    void endsObscurely() {
        if (entries.isEmpty()) {
            return;
        }
        for (Slot slot : entries.getLast().slots) {
            if (slot.result == null && !slot.reads) {
                slot.mayHaveRun = true;
                slot.obscure = true;
            }
        }
    }

    /** A call is about to change files. */
    void touched(String callId) {
        Slot slot = latest.get(callId);
        if (slot != null) {
            slot.touched = true;
        }
    }

    /** Whether the result found its call. */
    boolean answered(String callId, ToolResult result) {
        Slot slot = latest.get(callId);
        if (slot == null) {
            notes.add("A result for the unknown call " + callId + " was dropped.");
            return false;
        }
        if (slot.result != null) {
            notes.add("A second result for the call " + callId + " was dropped.");
            return false;
        }
        slot.result = result;
        return true;
    }

    /**
     * What became of a call without a result; false if it has one, or does more than change files.
     */
    boolean settle(String callId, ToolResult found) {
        Slot slot = latest.get(callId);
        if (slot == null || slot.result != null || !slot.changesFiles) {
            return false;
        }
        slot.found = found;
        return true;
    }

    /** Calls of the last reply that only read and were cut off: whoever goes on makes them. */
    List<ToolCall> again() {
        if (entries.isEmpty()
                || !(entries.getLast().message() instanceof Message.Assistant reply)) {
            return List.of();
        }
        List<String> cut =
                entries.getLast().slots().stream()
                        .filter(HistoryFold::isAgain)
                        .map(slot -> slot.callId)
                        .toList();
        return reply.toolCalls().stream().filter(call -> cut.contains(call.id())).toList();
    }

    private static boolean isAgain(Slot slot) {
        return slot.reads && slot.result == null;
    }

    /** The results that no record holds, as records; calls that are made again will have theirs. */
    List<JournalRecord.Answered> missing() {
        List<JournalRecord.Answered> missing = new ArrayList<>();
        for (Entry entry : entries) {
            for (Slot slot : entry.slots) {
                boolean again = entry == entries.getLast() && isAgain(slot);
                if (slot.result == null && !again) {
                    missing.add(new JournalRecord.Answered(slot.callId, slot.settled()));
                }
            }
        }
        return missing;
    }

    /** Calls that may have run although no record holds a result. */
    List<String> unresolved() {
        List<String> unresolved = new ArrayList<>();
        for (Entry entry : entries) {
            for (Slot slot : entry.slots) {
                boolean open = slot.result == null && slot.found == null;
                if (open && slot.mayHaveRun && !slot.isUntouched()) {
                    unresolved.add(slot.callId);
                }
            }
        }
        return unresolved;
    }

    /** The history that the records add up to, with these instructions in front. */
    List<Message> messages(String systemPrompt) {
        return messages(systemPrompt, List.of());
    }

    /** The messages as the changes have left them. */
    List<Message> sent(String systemPrompt) {
        return messages(systemPrompt, changes.subList(0, counted()));
    }

    private List<Message> messages(String systemPrompt, List<Change> changed) {
        List<Message> messages = new ArrayList<>();
        messages.add(new Message.System(systemPrompt));
        int next = 0;
        for (int i = 0; i <= entries.size(); i++) {
            while (next < changed.size() && changed.get(next).entries() == i) {
                messages = new ArrayList<>(applied(changed.get(next), messages));
                next++;
            }
            if (i < entries.size()) {
                Entry entry = entries.get(i);
                messages.add(entry.message);
                for (Slot slot : entry.slots) {
                    messages.add(new Message.Tool(slot.callId, slot.settled()));
                }
            }
        }
        return List.copyOf(messages);
    }

    private static List<Message> applied(Change change, List<Message> messages) {
        return change.compaction().isPresent()
                ? change.compaction().get().applyTo(messages)
                : EarlierHistory.forAnotherModel(messages);
    }
}
