package dev.agentloop.blackbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a strict provider checks in one request. */
final class RequestRules {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Asked asked;
    private final List<String> violations = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();

    private RequestRules(Asked asked) {
        this.asked = asked;
    }

    static List<String> violations(Asked asked) {
        RequestRules rules = new RequestRules(asked);
        if (asked.messages().isEmpty()) {
            rules.violations.add("no messages");
        } else {
            rules.pairs();
            asked.protocol().form.check(asked, rules);
        }
        return rules.violations;
    }

    /** Each call has its one result before anybody says anything else. */
    private void pairs() {
        List<String> open = List.of();
        for (Said said : asked.said()) {
            for (Said.Result result : said.results()) {
                open = answered(open, result.callId());
            }
            if (said.speaks()) {
                require(open.isEmpty(), "calls without a result: " + open);
                open = said.calls().stream().map(this::newId).toList();
            }
            require(
                    said.speaks() || !said.results().isEmpty(),
                    "an empty message of " + said.who());
        }
        require(open.isEmpty(), "calls without a result at the end: " + open);
        require(asked.said().getLast().who() != Said.Who.MODEL, "the last message is the model's");
    }

    /** The user begins, and they take turns. */
    void requireTurns() {
        Said.Who before = Said.Who.MODEL;
        for (Said said : asked.said()) {
            require(said.who() != before, "two messages of " + before + " in a row, or at first");
            before = said.who();
        }
    }

    private String newId(Said.Call call) {
        try {
            require(
                    JSON.readTree(call.arguments()).isObject(),
                    "arguments are not an object: " + call);
        } catch (IOException e) {
            violations.add("arguments are not JSON: " + call);
        }
        require(!call.id().isEmpty(), "a call without id");
        require(ids.add(call.id()), "the id " + call.id() + " twice");
        return call.id();
    }

    private List<String> answered(List<String> open, String id) {
        require(open.contains(id), "a result for " + id + ", which nobody called just before");
        List<String> left = new ArrayList<>(open);
        left.remove(id);
        return left;
    }

    void require(boolean holds, String violation) {
        if (!holds) {
            violations.add(violation);
        }
    }
}
