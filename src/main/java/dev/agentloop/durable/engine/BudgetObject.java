package dev.agentloop.durable.engine;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the tasks of a group may spend together. Each task holds one amount: what is set aside for
 * it, and once it is done what it has cost. The amounts are set, never added to, so that a repeated
 * operation or another attempt changes nothing; their sum never exceeds the group's total.
 */
final class BudgetObject {
    private static final String STATE = "budget";

    private final ObjectState state;
    private BigDecimal total;
    private final Map<String, Share> shares = new LinkedHashMap<>();

    private record Share(BigDecimal usd, boolean settled) {}

    BudgetObject(ObjectState state) {
        this.state = state;
        JsonValue kept = ObjectLogic.parsed(state.get(STATE), "{\"total\":\"\",\"shares\":{}}");
        total = usd(kept.at("total"));
        for (String task : kept.at("shares").keys()) {
            JsonValue share = kept.at("shares").at(task);
            shares.put(task, new Share(usd(share.at("usd")), share.at("settled").isTrue()));
        }
    }

    String apply(String operation, JsonValue input) {
        String task = input.at("task").textOr("");
        return switch (operation) {
            case "found" -> found(usd(input.at("total")));
            case "reserve" -> reserve(task, input);
            case "settle" -> {
                shares.put(task, new Share(usd(input.at("usd")), true));
                yield kept("{}");
            }
            case "status" -> status();
            default -> ObjectLogic.error("a budget cannot " + operation);
        };
    }

    private String found(BigDecimal wanted) {
        if (total.signum() > 0 && total.compareTo(wanted) != 0) {
            return ObjectLogic.error("the group has a budget of " + total.toPlainString() + " USD");
        }
        total = wanted;
        return kept("{}");
    }

    /** An empty wish means all that is left; a smaller rest than the wish is given as well. */
    private String reserve(String task, JsonValue input) {
        Share held = shares.get(task);
        if (held != null) { // of an attempt before this one; what is settled stays so
            return granted(held.settled() ? BigDecimal.ZERO : held.usd());
        }
        BigDecimal left = total.subtract(sum()).max(BigDecimal.ZERO);
        BigDecimal wish = input.at("usd").textOr("").isEmpty() ? left : usd(input.at("usd"));
        BigDecimal grant = wish.min(left);
        if (grant.signum() == 0) {
            boolean mayGrow = shares.values().stream().anyMatch(share -> !share.settled());
            return "{\"usd\":\"0\",\"wait\":" + mayGrow + "}";
        }
        shares.put(task, new Share(grant, false));
        return kept(granted(grant));
    }

    private static String granted(BigDecimal usd) {
        return "{\"usd\":\"" + usd.toPlainString() + "\",\"wait\":false}";
    }

    private String status() {
        return "{\"total\":\""
                + total.toPlainString()
                + "\",\"held\":\""
                + sum().toPlainString()
                + "\"}";
    }

    private BigDecimal sum() {
        return shares.values().stream().map(Share::usd).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static BigDecimal usd(JsonValue value) {
        String text = value.textOr("");
        return text.isEmpty() ? BigDecimal.ZERO : new BigDecimal(text);
    }

    private String kept(String answer) {
        state.put(
                STATE,
                Json.text(json -> {
                    json.writeStartObject();
                    json.writeStringField("total", total.toPlainString());
                    json.writeObjectFieldStart("shares");
                    for (Map.Entry<String, Share> share : shares.entrySet()) {
                        json.writeObjectFieldStart(share.getKey());
                        json.writeStringField("usd", share.getValue().usd().toPlainString());
                        json.writeBooleanField("settled", share.getValue().settled());
                        json.writeEndObject();
                    }
                    json.writeEndObject();
                    json.writeEndObject();
                }));
        return answer;
    }
}
