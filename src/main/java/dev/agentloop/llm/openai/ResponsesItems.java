package dev.agentloop.llm.openai;

import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.ReplyBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The items of one answer. Events name theirs by index and id, but servers leave out one of the
 * two, send index 0 for all, or make up a new id in each event.
 */
final class ResponsesItems {
    private final ReplyBuilder reply;
    private final List<ResponsesItem> all = new ArrayList<>();
    private final Map<Long, ResponsesItem> byIndex = new HashMap<>();
    private final Map<String, ResponsesItem> byId = new HashMap<>();

    ResponsesItems(ReplyBuilder reply) {
        this.reply = reply;
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    boolean hasRefusal() {
        return all.stream().anyMatch(ResponsesItem::isRefusal);
    }

    /** An item begins. */
    void added(JsonValue event) {
        JsonValue item = event.at("item");
        open(item.at("type").text(), event.at("output_index"), item);
    }

    /** An item is whole. */
    void done(JsonValue event) {
        JsonValue item = event.at("item");
        String type = item.at("type").text();
        String id = item.at("id").text();
        ResponsesItem known = find(type, event.at("output_index"), id);
        if (known == null || known.isDone() && (id.isEmpty() || !id.equals(known.id()))) {
            known = open(type, event.at("output_index"), item);
        }
        if (known != null && !known.isDone()) {
            known.complete(item);
        }
    }

    /** A piece of an item, or a part of it. */
    void take(String type, JsonValue event) {
        String id = event.at("item_id").text();
        ResponsesItem item = find(type, event.at("output_index"), id);
        if (item == null) { // its beginning was left out
            item = open(type, event.at("output_index"), new JsonValue(Map.of("id", id)));
        }
        if (item == null) {
            return;
        }
        if (event.at("type").text().endsWith(".delta")) {
            item.delta(event);
        } else if (!item.isDone()) { // parts may be told to be over after their item
            item.part(event);
        }
    }

    /**
     * The list of all whole items, at the end of a stream that may have told them. Ids may be new
     * ones and indexes count other items, so the n-th of a kind is the n-th of its kind.
     */
    void list(JsonValue output) {
        Map<String, List<ResponsesItem>> known = new HashMap<>();
        for (ResponsesItem item : all) {
            known.computeIfAbsent(item.type(), _ -> new ArrayList<>()).add(item);
        }
        Map<String, Integer> seen = new HashMap<>();
        long index = 0;
        for (JsonValue item : output.items()) {
            String type = item.at("type").text();
            List<ResponsesItem> alike = known.getOrDefault(type, List.of());
            int number = seen.merge(type, 1, Integer::sum) - 1;
            ResponsesItem it =
                    number < alike.size()
                            ? alike.get(number)
                            : open(type, new JsonValue(index), item);
            if (it != null && !it.isDone()) {
                it.complete(item);
            }
            index++;
        }
    }

    private @Nullable ResponsesItem find(String type, JsonValue index, String id) {
        ResponsesItem there = index.isNumber() ? byIndex.get(index.asLong()) : null;
        ResponsesItem named = id.isEmpty() ? null : byId.get(id);
        if (there == null || named != null && !there.id().equals(id)) {
            there = named;
        }
        if (there == null && !index.isNumber() && id.isEmpty() && !all.isEmpty()) {
            there = all.getLast();
        }
        return there != null && there.type().equals(type) ? there : null;
    }

    private @Nullable ResponsesItem open(String type, JsonValue index, JsonValue item) {
        ResponsesItem opened = ResponsesItem.of(type, reply);
        if (opened == null) {
            return null;
        }
        opened.begin(item);
        all.add(opened);
        if (index.isNumber()) {
            byIndex.put(index.asLong(), opened);
        }
        if (!opened.id().isEmpty()) {
            byId.put(opened.id(), opened);
        }
        return opened;
    }
}
